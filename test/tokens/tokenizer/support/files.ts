import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { trackedPaths } from "../../../house/tree.ts";
import { root } from "./oracle.ts";

const fileBytesMax = 200_000;
const moduleFilesMax = 250;
const moduleFilesStep = 37;

export function trackedFiles(): string[] {
  return trackedPaths()
    .map((path) => join(root, path))
    .filter((path) => isSmallFile(path));
}

export async function moduleFiles(): Promise<string[]> {
  const folder = join(root, "node_modules");
  const paths = await Array.fromAsync(new Glob("**/*.{md,ts,js,json,txt}").scan({ cwd: folder }));
  return paths
    .toSorted()
    .filter((_, index) => index % moduleFilesStep === 0)
    .map((path) => join(folder, path))
    .filter((path) => isSmallFile(path))
    .slice(0, moduleFilesMax);
}

// Paths of the captured servers next to the project; none, with one notice, if they are missing.
export async function dataFiles(): Promise<string[]> {
  const folder = join(root, "../shared/data/servers");
  if (!existsSync(folder)) {
    console.warn(`Skipping the captured servers: "${folder}" does not exist`);
    return [];
  }
  const names = await Array.fromAsync(new Glob("*.json").scan({ cwd: folder }));
  return names.map((name) => join(folder, name));
}

function isSmallFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= fileBytesMax;
}
