// Packs a release of mcp-meter: npm packages into dist/packages; archives, bundles, checksums and the files of other channels into
// dist/release. Each file of a channel is validated against its published schema. Nothing is published.
//   bun scripts/release.ts                    for this machine's platform
//   bun scripts/release.ts linux-arm64 …      for other platforms; their runtimes come from npm's registry
//   bun scripts/release.ts --all              for all platforms
//   bun scripts/release.ts --packages         the npm packages alone
import { mkdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable } from "./package/executables.ts";
import { packMain, packPlatform } from "./package/npm.ts";
import { findPlatform, ownPlatform, type Platform, platforms } from "./package/platforms.ts";
import { type Built, writeRelease } from "./package/write-release.ts";

const root = join(import.meta.dir, "..");

const { values, positionals } = parseArgs({
  options: { all: { type: "boolean" }, packages: { type: "boolean" } },
  allowPositionals: true,
});

const built: Built[] = [];
for (const platform of chosenPlatforms()) {
  built.push({ platform, executable: await buildExecutable(platform) });
}
const packages = join(root, "dist", "packages");
mkdirSync(packages, { recursive: true });
print(await packMain(packages));
for (const { platform, executable } of built) {
  print(await packPlatform(platform, executable, packages));
}
if (values.packages !== true) {
  for (const file of await writeRelease(built, join(root, "dist", "release"))) print(file);
}

function chosenPlatforms(): readonly Platform[] {
  if (values.all === true) return platforms;
  return positionals.length === 0 ? [ownPlatform()] : positionals.map(findPlatform);
}

function print(file: string): void {
  console.log(`${relative(root, file)}: ${statSync(file).size} bytes`);
}
