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
  playEverythingTask,
  playLegacyCancel,
  playLegacyTask,
  playModernCancel,
  playModernListen,
  playModernTask,
} from "./golden-special.ts";
import {
  everything,
  filesystem,
  legacy,
  memory,
  modern,
  modernTasks,
  type ServerCommand,
} from "./servers.ts";

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
