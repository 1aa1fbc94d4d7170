// Builds dist/mcp-meter, unless it was already built from the same sources.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { hardenedRuntime } from "./runtime.ts";
import { buildValidators } from "./validators.ts";
import { buildVocabularies } from "./vocabulary.ts";
import { fillPlaces } from "./vocabulary-places.ts";

const root = join(import.meta.dir, "..");
const executable = join(root, "dist", "mcp-meter");
const stampFile = join(root, "dist", "mcp-meter.stamp");

/** Everything that decides the executable: its sources, their imports, and this script. */
const inputs = [
  "src/**/*",
  "package.json",
  "bun.lock",
  "scripts/build.ts",
  "scripts/runtime.ts",
  "scripts/vocabulary-places.ts",
  "dist/validators/*.js",
  "dist/vocabulary/*.bin",
];

await buildValidators();
await buildVocabularies();
const stamp = await stampOf();
if (existsSync(executable) && isFile(stampFile, stamp)) {
  console.log("dist/mcp-meter is up to date");
} else {
  await build();
  writeFileSync(stampFile, stamp);
}

async function build(): Promise<void> {
  mkdirSync(join(root, "dist"), { recursive: true });
  // Built under another name and renamed: a running mcp-meter keeps its file.
  const fresh = `${executable}.${process.pid}`;
  const runtime = `${fresh}.runtime`;
  const { bytes, isComplete } = hardenedRuntime(readFileSync(process.execPath));
  if (!isComplete) {
    console.warn("on this platform BUN_JSC_ variables act on mcp-meter (docs/adr/0121-runtime.md)");
  }
  writeFileSync(runtime, bytes, { mode: 0o755 });
  const flags = [
    "--compile",
    "--minify",
    "--bytecode",
    "--splitting",
    "--format=esm",
    // Files of a hostile working directory must not reach the meter or the server.
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    `--compile-executable-path=${runtime}`,
  ];
  try {
    await execa({
      cwd: root,
      stderr: "inherit",
    })`bun build ${flags} --outfile ${fresh} src/main.ts src/forwarder/thread.ts`;
  } finally {
    rmSync(runtime, { force: true });
  }
  // On macOS a changed byte would break the signature.
  if (process.platform === "linux") fillPlaces(fresh);
  renameSync(fresh, executable);
  console.log("built dist/mcp-meter");
}

async function stampOf(): Promise<string> {
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

function isFile(file: string, content: string): boolean {
  return existsSync(file) && readFileSync(file, "utf8") === content;
}
