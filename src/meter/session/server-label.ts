/** Programs that run something else: the label is the name of that, not theirs. */
const runners = new Set([
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

/** Words allowed between a runner and its script: subcommands, and options that take no value. */
const runnerWords = new Set([
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

/**
 * The name of a server that neither the user nor the server itself has named: its program, or the script
 * or package that its program runs. `["npx", "-y", "@scope/server-git@1.2"]` → `server-git`.
 *
 * Only a path or a package is taken from the arguments. Anything else may be code, a setting or the value
 * of an option, and the value of an argument must not reach a record.
 */
export function serverLabel(command: readonly string[]): string {
  const [program = "", ...args] = command;
  const name = lastSegment(program).replace(/\.(exe|cmd)$/i, "");
  if (!runners.has(name)) return name;
  const script = args.find((arg) => !runnerWords.has(arg)) ?? "";
  if (!/^[\w@./\\][^\s=]*$/.test(script)) return name;
  return lastSegment(withoutVersion(script));
}

function withoutVersion(script: string): string {
  return script.replace(/(?<=.)@[^/]*$/, "");
}

function lastSegment(path: string): string {
  return /([^\\/]*)[\\/]*$/.exec(path)?.[1] ?? "";
}
