import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { isExecutable } from "./child.ts";

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
