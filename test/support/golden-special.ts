import { lockstep } from "../e2e/lockstep.ts";
import { openV1 } from "./client-v1.ts";
import { openV2 } from "./client-v2.ts";
import type { ServerCommand } from "./servers.ts";

const playTask =
  (tool: string) =>
  async (server: ServerCommand): Promise<void> => {
    const client = await openV1(server);
    await client.listTools();
    const params = { name: tool, arguments: { topic: "tides" } };
    for await (const message of client.experimental.tasks.callToolStream(params)) {
      if (message.type === "error") throw message.error;
    }
    await client.close();
  };

export const playLegacyTask = playTask("research");

export const playEverythingTask = playTask("simulate-research-query");

function givenUp() {
  const given = new AbortController();
  const onprogress = ({ progress }: { readonly progress: number }): void => {
    if (progress === 2) given.abort("enough");
  };
  return { signal: given.signal, onprogress };
}

const slow = { name: "slow", arguments: { steps: 10 } };
const echo = { name: "echo", arguments: { message: "still here" } };

export async function playLegacyCancel(server: ServerCommand): Promise<void> {
  const client = await openV1(server);
  await client.callTool(slow, undefined, givenUp()).catch(() => undefined);
  await client.callTool(echo);
  await client.close();
}

export async function playModernCancel(server: ServerCommand): Promise<void> {
  const client = await openV2(server, "modern");
  await client.callTool(slow, givenUp()).catch(() => undefined);
  await client.callTool(echo);
  await client.close();
}

const settleMs = 50;

export async function playModernListen(server: ServerCommand): Promise<void> {
  const client = await openV2(server, "modern");
  await client.listTools();
  const subscription = await client.listen({ toolsListChanged: true });
  await client.callTool({ name: "grow", arguments: {} });
  await Bun.sleep(settleMs);
  await client.listTools();
  await subscription.close();
  await client.close();
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "tasks-host", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {
    extensions: { "io.modelcontextprotocol/tasks": {} },
  },
};

/** A task of the 2026 extension, polled five times. No SDK plays a client for it, so lines do. */
export async function playModernTask(server: ServerCommand): Promise<void> {
  const speaker = lockstep(server);
  const ask = (id: number, method: string, params: object) =>
    speaker.say(
      JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: envelope } }),
    );
  await ask(1, "server/discover", {});
  await ask(2, "tools/list", {});
  await ask(3, "tools/call", { name: "research", arguments: { topic: "tides" } });
  for (let id = 4; id < 9; id += 1) await ask(id, "tasks/get", { taskId: "research-1" });
  await speaker.finish();
}
