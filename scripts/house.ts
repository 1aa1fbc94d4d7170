// Prints the size and shape of src/ next to their goals.
import { readFileSync } from "node:fs";
import { posix } from "node:path";

const texts = new Map(
  Array.from(new Bun.Glob("src/**/*.{ts,tsx}").scanSync("."))
    .filter((path) => !path.endsWith(".d.ts"))
    .map((path) => [path, readFileSync(path, "utf8")]),
);
const codes = new Map(Array.from(texts, ([path, text]) => [path, stripComments(text)]));
const imports = new Map(Array.from(codes, ([path, text]) => [path, listImports(path, text)]));
const depths = new Map<string, number>();

const sizes = Array.from(texts.values(), countLines).toSorted((a, b) => a - b);
const code = sum(Array.from(codes.values(), countLines));
const functions = count(/\bfunction\b|=>|^ {2}(?:async |get |set |static )*#?\w+\(.*\{$/gm);
const vague = "(?:one|other|own|part|place|given|asked|kept)";

console.table({
  files: row(texts.size, "≤ 600"),
  "lines in thousands": row(sum(sizes) / 1_000, "≤ 92"),
  "median lines": row(sizes[sizes.length >> 1] ?? 0, "90–145"),
  "most lines": row(sizes.at(-1) ?? 0, "≤ 400"),
  "entries in src/": row(
    new Set(Array.from(texts.keys(), (path) => path.split("/")[1])).size,
    "≤ 15",
  ),
  "doc comments per 1,000 lines": row((1_000 * count(/^\s*\/\*\*/gm, texts)) / code, "≤ 40"),
  "functions named …Of per 1,000": row(
    (1_000 * count(/function \w+Of\b|(?:const|readonly) #?\w+Of\b|^ {2}#?\w+Of\(/gm)) / functions,
    "≤ 5",
  ),
  "variables one, other, … per 1,000 lines": row(
    (1_000 *
      count(
        new RegExp(
          `(?:const|let) ${vague}\\b|\\b${vague}\\)? =>|[(,[{] ?${vague}(?:: |,.* =>|,.*[}\\]] =)`,
          "g",
        ),
      )) /
      code,
    "≤ 2",
  ),
  "exports per 1,000 lines": row((1_000 * count(/^export /gm)) / code, "≤ 45"),
  "files of ≤ 25 code lines with one importer": row([...texts.keys()].filter(isLonely).length, "0"),
  "depth of imports": row(Math.max(...Array.from(texts.keys(), computeDepth)), "–"),
});

function row(now: number, goal: string): { readonly now: number; readonly goal: string } {
  return { now: Math.round(now * 100) / 100, goal };
}

function stripComments(text: string): string {
  const bare = text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
  return bare.replaceAll(/^\s*\n/gm, "");
}

function listImports(path: string, text: string): readonly string[] {
  return Array.from(
    text.matchAll(/^(?:import|\} from|export).*"([#.][^"]+)";$/gm),
    ([, target = ""]) =>
      target.startsWith("#") ? `src/${target.slice(1)}` : posix.join(posix.dirname(path), target),
  );
}

/** A table and its members may be small files. */
function isLonely(path: string): boolean {
  if (path.endsWith("/index.ts")) return false;
  const importers = [...imports].filter(([, targets]) => targets.includes(path));
  const [importer = ""] = importers[0] ?? [];
  return (
    importers.length === 1 &&
    !importer.endsWith("index.ts") &&
    countLines(codes.get(path) ?? "") <= 25
  );
}

function computeDepth(path: string): number {
  const known = depths.get(path) ?? 1 + Math.max(0, ...(imports.get(path) ?? []).map(computeDepth));
  depths.set(path, known);
  return known;
}

function count(pattern: RegExp, among: ReadonlyMap<string, string> = codes): number {
  return sum(Array.from(among.values(), (text) => text.match(pattern)?.length ?? 0));
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
