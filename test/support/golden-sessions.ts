import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { picture } from "../e2e/fixtures/content.ts";
import { clientNamed, type Connection } from "./clients.ts";
import {
  playEverything,
  playFilesystem,
  playFixture,
  playLegacy,
  playMemory,
  playModern,
} from "./golden-plays.ts";
import {
  everything,
  filesystem,
  legacy,
  memory,
  modern,
  modernTasks,
  type ServerCommand,
} from "./servers.ts";
import { lockstep } from "../e2e/lockstep.ts";
import { openV1 } from "./client-v1.ts";
import { openV2 } from "./client-v2.ts";

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

const playLegacyTask = playTask("research");

const playEverythingTask = playTask("simulate-research-query");

function givenUp() {
  const given = new AbortController();
  const onprogress = ({ progress }: { readonly progress: number }): void => {
    if (progress === 2) given.abort("enough");
  };
  return { signal: given.signal, onprogress };
}

const slow = { name: "slow", arguments: { steps: 10 } };
const echo = { name: "echo", arguments: { message: "still here" } };

async function playLegacyCancel(server: ServerCommand): Promise<void> {
  const client = await openV1(server);
  await client.callTool(slow, undefined, givenUp()).catch(() => undefined);
  await client.callTool(echo);
  await client.close();
}

async function playModernCancel(server: ServerCommand): Promise<void> {
  const client = await openV2(server, "modern");
  await client.callTool(slow, givenUp()).catch(() => undefined);
  await client.callTool(echo);
  await client.close();
}

const settleMs = 50;

async function playModernListen(server: ServerCommand): Promise<void> {
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
async function playModernTask(server: ServerCommand): Promise<void> {
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

export type GoldenSession = {
  readonly name: string;
  readonly start: (folder: string) => ServerCommand;
  readonly play: (server: ServerCommand, folder: string) => Promise<void>;
};

export function plant(folder: string): void {
  mkdirSync(join(folder, "beds"), { recursive: true });
  writeFileSync(join(folder, "plants.txt"), "basil\nthyme – tomilho\nsage\n");
  writeFileSync(join(folder, "beds", "north.md"), "# North bed\n\n- mint\n");
  writeFileSync(join(folder, "pixels.png"), Buffer.from(picture, "base64"));
}

function startFilesystem(folder: string): ServerCommand {
  plant(folder);
  return filesystem(folder);
}

const startMemory = (folder: string): ServerCommand => memory(join(folder, "graph.jsonl"));

const as =
  (name: string, play: (folder: string) => (connection: Connection) => Promise<void>) =>
  async (server: ServerCommand, folder: string): Promise<void> => {
    const connection = await clientNamed(name).connect(server);
    await play(folder)(connection);
    await connection.close();
  };

export const goldenSessions: readonly GoldenSession[] = [
  { name: "everything-v1", start: everything, play: as("sdk-v1", () => playEverything) },
  { name: "everything-v2-auto", start: everything, play: as("sdk-v2-auto", () => playEverything) },
  { name: "everything-task", start: everything, play: playEverythingTask },
  { name: "filesystem-v1", start: startFilesystem, play: as("sdk-v1", playFilesystem) },
  { name: "filesystem-v2-auto", start: startFilesystem, play: as("sdk-v2-auto", playFilesystem) },
  { name: "memory-v1", start: startMemory, play: as("sdk-v1", () => playMemory) },
  { name: "memory-v2-auto", start: startMemory, play: as("sdk-v2-auto", () => playMemory) },
  { name: "legacy-v1", start: legacy, play: as("sdk-v1", () => playLegacy) },
  { name: "legacy-v2", start: legacy, play: as("sdk-v2-legacy", () => playLegacy) },
  { name: "legacy-v2-auto", start: legacy, play: as("sdk-v2-auto", () => playLegacy) },
  { name: "legacy-task", start: legacy, play: playLegacyTask },
  { name: "legacy-cancel", start: legacy, play: playLegacyCancel },
  { name: "modern-v1", start: modern, play: as("sdk-v1", () => playFixture) },
  { name: "modern-v2", start: modern, play: as("sdk-v2-modern", () => playModern) },
  { name: "modern-v2-auto", start: modern, play: as("sdk-v2-auto", () => playModern) },
  { name: "modern-cancel", start: modern, play: playModernCancel },
  { name: "modern-listen", start: modern, play: playModernListen },
  { name: "modern-task", start: modernTasks, play: playModernTask },
];
