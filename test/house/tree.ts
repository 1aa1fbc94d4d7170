import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Tree } from "./law.ts";

export const root = join(import.meta.dir, "..", "..");

export function trackedPaths(): string[] {
  if (Bun.which("git") !== null) {
    const listed = Bun.spawnSync(["git", "ls-files", "-z"], { cwd: root, stderr: "ignore" });
    if (listed.success) return listed.stdout.toString().split("\0").filter(Boolean);
  }
  const above = readdirSync(root).filter((name) =>
    /^[A-Z.a-z]+\.(?:md|json|jsonc|toml)$/.test(name),
  );
  return [...above, ...["src", "scripts", "test", "docs"].flatMap(below)];
}

function below(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

export function readTree(paths: readonly string[]): Tree {
  const entries = paths.flatMap((path): [string, string][] => {
    const text = textOf(path);
    return text === undefined || text.includes("\0") ? [] : [[path, text]];
  });
  return Object.fromEntries(entries);
}

export function readHouse(): Tree {
  return readTree([...below("src"), ...below("test")].filter((path) => /\.tsx?$/.test(path)));
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    return undefined;
  }
}
