import { attempt } from "../errors.ts";
import { realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isExecutable } from "./child.ts";

// If mcp-meter runs from source, this is the executable of the runtime.
export function findCurrentExecutable(): string {
  return attempt(() => realpathSync("/proc/self/exe"), Bun.argv[0] ?? "mcp-meter");
}

// Skips relative folders, where a project could plant a program.
export function findProgramOnPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

const bundledFile = /^(?:\/\$bunfs\/|[A-Z]:[/\\]~BUN[/\\])/;

// Every run from source gets a new ID. On Linux, every build of a version has a different one.
export function makeBuildId(version: string): string {
  if (!bundledFile.test(Bun.main)) return crypto.randomUUID();
  const executable = statSync("/proc/self/exe", { throwIfNoEntry: false });
  return executable ? `${version} ${executable.size} ${executable.mtimeMs}` : version;
}
