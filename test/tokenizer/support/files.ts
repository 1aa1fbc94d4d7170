import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { execa } from "execa";
import { ROOT } from "./oracle.ts";

/** Larger files are left out: the oracle would take seconds for one. */
const FILE_BYTES_MAX = 200_000;
const MODULE_FILES_MAX = 250;
const MODULE_FILES_STEP = 37;

/** Paths of the repository's own text files. */
export async function trackedFiles(): Promise<string[]> {
  const { stdout } = await execa("git", ["ls-files"], { cwd: ROOT, reject: false });
  return stdout
    .split("\n")
    .map((path) => join(ROOT, path))
    .filter((path) => isSmallFile(path));
}

/** Paths of some text files of installed packages, the same in every run. */
export async function moduleFiles(): Promise<string[]> {
  const folder = join(ROOT, "node_modules");
  const paths = await Array.fromAsync(new Glob("**/*.{md,ts,js,json,txt}").scan({ cwd: folder }));
  return paths
    .toSorted()
    .filter((_, index) => index % MODULE_FILES_STEP === 0)
    .map((path) => join(folder, path))
    .filter((path) => isSmallFile(path))
    .slice(0, MODULE_FILES_MAX);
}

/** Paths of the captured servers beside the project; none, said once, where they are not. */
export async function dataFiles(): Promise<string[]> {
  const folder = join(ROOT, "../shared/data/servers");
  if (!existsSync(folder)) {
    console.warn(`Skipping the captured servers: "${folder}" does not exist`);
    return [];
  }
  const names = await Array.fromAsync(new Glob("*.json").scan({ cwd: folder }));
  return names.map((name) => join(folder, name));
}

function isSmallFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= FILE_BYTES_MAX;
}
