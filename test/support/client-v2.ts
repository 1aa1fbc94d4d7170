import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { capabilities, modelAnswer, personAnswer, rootsAnswer } from "./client-answers.ts";
import type { Connection, Outcome } from "./clients.ts";
import type { ReachedServer } from "./servers.ts";
import { forwarderEnv } from "./forwarder-env.ts";

/** How the era is chosen: never asked for, required, or probed with a fallback. */
export type Mode = "legacy" | "modern" | "auto";

const modernVersion = "2026-07-28";

async function outcome(request: Promise<unknown>): Promise<Outcome> {
  try {
    return { kind: "result", result: await request };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { kind: "error", code: error.code, message: error.message };
  }
}

/** Starts `server`, or connects to it, as a host on SDK v2 does. In `modern` and `auto` a probe process runs first. */
export async function openV2(server: ReachedServer, mode: Mode): Promise<Client> {
  const client = new Client(
    { name: "sdk-v2-host", version: "2.0.0" },
    {
      capabilities,
      versionNegotiation: { mode: mode === "modern" ? { pin: modernVersion } : mode },
    },
  );
  client.setRequestHandler("sampling/createMessage", () => modelAnswer);
  client.setRequestHandler("elicitation/create", () => personAnswer);
  client.setRequestHandler("roots/list", () => rootsAnswer);
  await client.connect(transportTo(server));
  return client;
}

function transportTo(server: ReachedServer): Transport {
  if (server instanceof URL) return new StreamableHTTPClientTransport(server);
  const [command, ...args] = server.argv;
  const env = { ...getDefaultEnvironment(), ...forwarderEnv, ...server.env };
  return new StdioClientTransport({ command, args, env, stderr: "ignore" });
}

export async function connectV2(server: ReachedServer, mode: Mode): Promise<Connection> {
  const client = await openV2(server, mode);
  return {
    greeting: {
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
      version: client.getNegotiatedProtocolVersion(),
    },
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args, progress) => {
      const options = progress ? { onprogress: push(progress) } : {};
      return outcome(client.callTool({ name, arguments: args }, options));
    },
    readResource: (uri) => outcome(client.readResource({ uri })),
    getPrompt: (name, args) => outcome(client.getPrompt({ name, arguments: args })),
    close: () => client.close(),
  };
}

const push =
  (values: number[]) =>
  ({ progress }: { readonly progress: number }): void => {
    values.push(progress);
  };
