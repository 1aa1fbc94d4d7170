import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { capabilities, modelAnswer, personAnswer, rootsAnswer } from "./client-answers.ts";
import type { Connection, Outcome } from "./clients.ts";
import type { ReachedServer } from "./servers.ts";
import { forwarderEnv } from "./forwarder-env.ts";

async function outcome(request: Promise<unknown>): Promise<Outcome> {
  try {
    return { kind: "result", result: await request };
  } catch (error) {
    if (!(error instanceof McpError)) throw error;
    return { kind: "error", code: error.code, message: error.message };
  }
}

export async function openV1(server: ReachedServer): Promise<Client> {
  const client = new Client({ name: "sdk-v1-host", version: "1.0.0" }, { capabilities });
  client.setRequestHandler(CreateMessageRequestSchema, () => modelAnswer);
  client.setRequestHandler(ElicitRequestSchema, () => personAnswer);
  client.setRequestHandler(ListRootsRequestSchema, () => rootsAnswer);
  await client.connect(transportTo(server));
  return client;
}

function transportTo(server: ReachedServer): Transport {
  if (server instanceof URL) return new StreamableHTTPClientTransport(server);
  const [command, ...args] = server.argv;
  const env = { ...getDefaultEnvironment(), ...forwarderEnv, ...server.env };
  return new StdioClientTransport({ command, args, env, stderr: "ignore" });
}

export async function connectV1(server: ReachedServer): Promise<Connection> {
  const client = await openV1(server);
  return {
    greeting: {
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
      version: undefined,
    },
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, args, progress) => {
      const options = progress ? { onprogress: push(progress) } : {};
      return outcome(client.callTool({ name, arguments: args }, undefined, options));
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
