/** Programs that start another one, which their first word without a dash names. */
const starters = new Set(["npx", "bunx", "bun", "node"]);

/**
 * The word of a command that names mcp-meter: its first, or the one that `npx`, `bun`, `node` or `cmd /c` starts.
 * Undefined when the command starts another program.
 */
export function meterWord(words: readonly string[]): string | undefined {
  const isShell = programName(words[0] ?? "") === "cmd";
  const begin = isShell ? words.findIndex((word, at) => at > 0 && !/^\/[a-z]$/i.test(word)) : 0;
  const [first = "", ...rest] = begin < 0 ? [] : words.slice(begin);
  const name = programName(first);
  if (name === "mcp-meter") return first;
  if (!starters.has(name)) return undefined;
  const started = rest.find((word) => !/^(?:-.*|run|x)$/s.test(word)) ?? "";
  return programName(started.replace(/@[^@/\\]*$/, "")) === "mcp-meter" ? started : undefined;
}

/** `npx` for `C:\node\npx.cmd`. */
function programName(word: string): string {
  return word.replace(/^.*[/\\]/s, "").replace(/\.(?:exe|cmd)$/i, "");
}

/**
 * The number of words before the server's own command, in a command that mcp-meter is in front of: up to and with the first
 * `--` behind it. Undefined without such a `--`, or with nothing behind it: then mcp-meter is the server, or nothing is.
 */
export function wordsBeforeServer(words: readonly unknown[]): number | undefined {
  const texts = words.map((word) => (typeof word === "string" ? word : ""));
  const meter = meterWord(texts);
  if (meter === undefined) return undefined;
  const cut = texts.indexOf("--", texts.indexOf(meter));
  return cut < 0 || (texts[cut + 1] ?? "") === "" ? undefined : cut + 1;
}
