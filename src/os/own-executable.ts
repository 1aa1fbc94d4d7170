import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isExecutable } from "./child.ts";

/** The path of the program that runs: of the executable, or of the runtime where it runs from source. */
export function ownExecutable(): string {
  try {
    return realpathSync("/proc/self/exe");
  } catch {
    return Bun.argv[0] ?? "mcp-meter";
  }
}

/** The path of a program that a shell finds by its name. Relative folders are left out: a project could put a program there. */
export function programOnPath(name: string, path: string | undefined): string | undefined {
  const folders = (path ?? "").split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** The path without links, or the path itself where that cannot be known. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
