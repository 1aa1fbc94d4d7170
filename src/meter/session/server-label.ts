import { nameCharactersMax } from "#kit/limits.ts";
import type { MeterOptions } from "./event.ts";
import type { Introductions } from "./participants.ts";

export function chooseLabel({ server }: Introductions, options: MeterOptions): string {
  const label = options.serverLabel ?? server?.name ?? options.serverLabelFallback;
  return label.slice(0, nameCharactersMax);
}

// These programs start scripts and packages, whose names are better labels.
const launchers = new Set([
  "node",
  "bun",
  "deno",
  "npx",
  "bunx",
  "uvx",
  "uv",
  "python",
  "python3",
  "sh",
  "env",
]);

// Subcommands and options that may stand between a launcher and its script, package or module.
const launcherWords = new Set([
  "run",
  "x",
  "exec",
  "tool",
  "-y",
  "--yes",
  "-q",
  "--quiet",
  "-u",
  "-m",
  "--bun",
  "--silent",
]);

/** `npx -y @scope/server-git@1.2` → `server-git`. Uses no other arguments: they may hold secrets. */
export function makeServerLabel(command: readonly string[]): string {
  const [program = "", ...args] = command;
  const name = readLastSegment(program).replace(/\.(exe|cmd)$/i, "");
  if (!launchers.has(name)) return name;
  const script = args.find((arg) => !launcherWords.has(arg)) ?? "";
  if (!/^[\w@./\\][^\s=]*$/.test(script)) return name;
  const withoutUser = script.replace(/\/\/[^/]*@/, "//");
  return readLastSegment(withoutUser.replace(/(?<=.)@[^\\/]*$/, "")) || name;
}

function readLastSegment(path: string): string {
  return /([^\\/]*)[\\/]*$/.exec(path)?.[1] ?? "";
}
