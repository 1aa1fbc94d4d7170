/** By the words that may follow before the program, besides those with a dash. */
const starters = new Map<string, RegExp>([
  ["npx", /^$/],
  ["bunx", /^$/],
  ["bun", /^(?:run|x)$/],
  ["node", /^$/],
]);

/** They start a program after one of these words. */
const managers = new Set(["npm", "pnpm", "yarn"]);
const starting = new Set(["exec", "dlx", "x"]);

/** The first word, or the one that `npx`, `bun`, `node`, a package manager or `cmd /c` starts. Undefined for another program. */
export function meterWord(words: readonly string[]): string | undefined {
  const isShell = programName(words[0] ?? "") === "cmd";
  const begin = isShell ? words.findIndex((word, at) => at > 0 && !/^\/[a-z]$/i.test(word)) : 0;
  const [first = "", ...rest] = begin < 0 ? [] : words.slice(begin);
  const name = programName(first);
  if (name === "mcp-meter") return first;
  const started = startedWord(name, rest);
  const program = programName(started.replace(/@[^@/\\]*$/, "")).replace(/\.[cm]?js$/, "");
  return program === "mcp-meter" ? started : undefined;
}

function startedWord(starter: string, rest: readonly string[]): string {
  const [verb = "", ...words] = rest;
  if (managers.has(starter)) return starting.has(verb) ? firstWord(words, /^$/) : "";
  const between = starters.get(starter);
  return between === undefined ? "" : firstWord(rest, between);
}

function firstWord(words: readonly string[], between: RegExp): string {
  return words.find((word) => !word.startsWith("-") && !between.test(word)) ?? "";
}

/** `npx` for `C:\node\npx.cmd`: Windows ignores case. */
function programName(word: string): string {
  const name = word.replace(/^.*[/\\]/s, "");
  const bare = name.replace(/\.(?:exe|cmd)$/i, "");
  return bare === name ? name : bare.toLowerCase();
}

/** Up to and with the first `--` behind mcp-meter. Undefined without one, or with nothing behind it: then mcp-meter is the server, or nothing is. */
export function wordsBeforeServer(words: readonly unknown[]): number | undefined {
  const texts = words.map((word) => (typeof word === "string" ? word : ""));
  const meter = meterWord(texts);
  if (meter === undefined) return undefined;
  const cut = texts.indexOf("--", texts.indexOf(meter));
  return cut < 0 || (texts[cut + 1] ?? "") === "" ? undefined : cut + 1;
}
