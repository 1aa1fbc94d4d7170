import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileExecutable } from "./compile.ts";
import { buildValidators } from "./validators.ts";
import { buildVocabularies } from "./vocabulary.ts";
import { readIfPresent } from "./whole-files.ts";

const root = join(import.meta.dir, "..");
const executable = join(root, "dist", "mcp-meter");
const stampFile = join(root, "dist", "mcp-meter.stamp");

const inputs = [
  "src/**/*",
  "package.json",
  "bun.lock",
  "scripts/build.ts",
  "scripts/compile.ts",
  "scripts/runtime.ts",
  "scripts/sdk-shims.ts",
  "scripts/vocabulary-ranges.ts",
  "dist/validators/*.js",
  "dist/vocabulary/*.bin",
];

await buildValidators();
await buildVocabularies();
const stamp = await computeStamp();
if (existsSync(executable) && readIfPresent(stampFile).toString() === stamp) {
  console.log("dist/mcp-meter is up to date");
} else {
  const isLinux = process.platform === "linux";
  await compileExecutable({ file: executable, runtime: process.execPath, isLinux });
  writeFileSync(stampFile, stamp);
  console.log("built dist/mcp-meter");
}

async function computeStamp(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  hash.update(Bun.version);
  for (const pattern of inputs) {
    const files = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: root }));
    for (const file of files.toSorted()) {
      hash.update(`\n${file}\n`);
      hash.update(readFileSync(join(root, file)));
    }
  }
  return hash.digest("hex");
}
