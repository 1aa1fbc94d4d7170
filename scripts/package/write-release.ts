import packageJson from "../../package.json" with { type: "json" };
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { writeArchive, sha256 } from "./archive.ts";
import { bundledPlatforms, formatJson, makeServerListing, writeBundle } from "./listing.ts";
import { homepage, releasesUrl, type Platform, platformId, platforms } from "./platforms.ts";

const channels = [
  { template: "formula.rb", file: "mcp-meter.rb", isIncluded: isFormulaPlatform },
  {
    template: "scoop.json",
    file: "mcp-meter.json",
    isIncluded: ({ os }: Platform) => os === "win32",
  },
  { template: "Dockerfile", file: "Dockerfile", isIncluded: () => false },
] as const;

/** Homebrew on Linux uses glibc. */
function isFormulaPlatform({ os, libc }: Platform): boolean {
  return os !== "win32" && libc !== "musl";
}

export type Built = { readonly platform: Platform; readonly executable: string };

export async function writeRelease(built: readonly Built[], into: string): Promise<string[]> {
  mkdirSync(into, { recursive: true });
  const sums = new Map<string, string>();
  const bundles = new Map<string, string>();
  const files: string[] = [];
  for (const { platform, executable } of built) {
    const file = await writeArchive(platform, executable, into);
    sums.set(platformId(platform), sha256(file));
    files.push(file);
    if (!bundledPlatforms.includes(platform)) continue;
    const bundle = writeBundle(platform, executable, into);
    bundles.set(platformId(platform), sha256(bundle));
    files.push(bundle);
  }
  const lines = files.map((file) => `${sha256(file)}  ${basename(file)}\n`);
  return [
    ...files,
    write(into, "SHA256SUMS", lines.join("")),
    ...writeChannels(sums, into),
    ...writeListing(bundles, into),
  ];
}

/** Writes nothing unless the bundles of all platforms are there. */
export function writeListing(bundles: ReadonlyMap<string, string>, into: string): string[] {
  if (!bundledPlatforms.every((platform) => bundles.has(platformId(platform)))) return [];
  return [write(into, "server.json", formatJson(makeServerListing(bundles)))];
}

export function writeChannels(sums: ReadonlyMap<string, string>, into: string): string[] {
  const { version, description } = packageJson;
  return channels.flatMap(({ template, file, isIncluded }) => {
    const ids = platforms.filter(isIncluded).map(platformId);
    if (!ids.every((id) => sums.has(id))) return [];
    const text = readFileSync(join(import.meta.dir, "templates", template), "utf8");
    const checksums = Object.fromEntries(ids.map((id) => [id, sums.get(id) ?? ""]));
    const facts = { version, description, homepage, url: releasesUrl };
    const named = Object.entries(facts).filter(([name]) => text.includes(`{{${name}}}`));
    return [write(into, file, fillTemplate(text, { ...Object.fromEntries(named), ...checksums }))];
  });
}

function write(folder: string, name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function fillTemplate(template: string, values: { readonly [name: string]: string }): string {
  const unused = new Set(Object.keys(values));
  const filled = template.replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The template has {{${name}}}, which has no value`);
    unused.delete(name);
    return value;
  });
  if (unused.size > 0) throw new Error(`The template does not use ${[...unused].join(", ")}`);
  return filled;
}
