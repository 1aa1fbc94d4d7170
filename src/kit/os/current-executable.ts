import { attempt } from "../errors.ts";
import { realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isExecutable } from "./child.ts";

// From source, this is the runtime.
export function findCurrentExecutable(): string {
  return attempt(() => realpathSync("/proc/self/exe"), Bun.argv[0] ?? "mcp-meter");
}

// Skips relative folders, where a project could plant a program.
export function findProgramOnPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

const bundledFile = /^(?:\/\$bunfs\/|[A-Z]:[/\\]~BUN[/\\])/;

// Unique for each build; from source, for each run. Without `/proc`, it is the version alone.
export function makeBuildId(version: string): string {
  if (!bundledFile.test(Bun.main)) return crypto.randomUUID();
  const executable = statSync("/proc/self/exe", { throwIfNoEntry: false });
  return executable ? `${version} ${executable.size} ${executable.mtimeMs}` : version;
}
