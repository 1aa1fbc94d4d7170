import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root, trackedPaths } from "../house/tree.ts";

export function documents(): string[] {
  const paths = trackedPaths().filter((path) => path.endsWith(".md"));
  return paths.filter((path) => existsSync(join(root, path)));
}

export function readDocument(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function prose(text: string): string {
  return text.replaceAll(/^( *)(```+)[^]*?^\1\2 *$/gm, "");
}

export function links(text: string): string[] {
  const found = [...prose(text).matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)];
  return found.map(([, target]) => target ?? "").filter((target) => !/^[a-z]+:/.test(target));
}

export function brokenLink(from: string, target: string): string | undefined {
  const [path = "", fragment] = target.split("#");
  const found = path === "" ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(root, found))) return `${from}: ${found} does not exist`;
  if (fragment === undefined || !found.endsWith(".md")) return undefined;
  return anchors(readDocument(found)).has(fragment)
    ? undefined
    : `${from}: ${found} has no heading #${fragment}`;
}

function anchors(text: string): Set<string> {
  const headings = [...prose(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading ?? "");
  return new Set(headings.map(anchorOf));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
}

export function section(text: string, heading: string): string {
  const lines = text.split("\n");
  const from = lines.indexOf(heading);
  if (from < 0) throw new Error(`missing heading "${heading}"`);
  const level = heading.indexOf(" ");
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => /^#{1,6} /.test(line) && line.indexOf(" ") <= level);
  return rest.slice(0, to < 0 ? undefined : to).join("\n");
}

export function tableRows(text: string): string[][] {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => /^\| *-|^\| *:-/.test(line));
  if (from < 0) return [];
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, to < 0 ? undefined : to).map(cellsOf);
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\|/, "")
    .replace(/\|\s*$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

export function codeBlocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm");
  return [...text.matchAll(fence)].map(([, code]) => code ?? "");
}

export function withoutLayout(text: string): string {
  return text.replaceAll(/ +/g, " ").replaceAll(/-{3,}/g, "---");
}
