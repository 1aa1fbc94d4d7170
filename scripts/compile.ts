import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { hardenRuntime } from "./runtime.ts";
import { fillVocabularyRanges } from "./vocabulary-ranges.ts";

const root = join(import.meta.dir, "..");

// The program and its threads.
const entries = [
  "src/main.ts",
  "src/transport/forwarder/thread.ts",
  "src/commands/import/log-groups.ts",
];

type Target = Bun.Build.CompileTarget;

type Executable = {
  readonly file: string;
  readonly runtime: string;
  /** Undefined for this machine. */
  readonly target?: Target;
  /** On Linux, an executable reads its vocabularies from its own file. */
  readonly isLinux: boolean;
};

export async function compileExecutable(executable: Executable): Promise<void> {
  const { file, isLinux } = executable;
  mkdirSync(dirname(file), { recursive: true });
  // Built under another name and renamed: a running mcp-meter keeps its file.
  const temporary = join(dirname(file), `${process.pid}.${basename(file)}`);
  const runtime = `${temporary}.runtime`;
  const { bytes, isComplete } = hardenRuntime(readFileSync(executable.runtime));
  if (!isComplete) {
    console.warn(
      "on this platform BUN_JSC_ variables act on mcp-meter (docs/adr/0028-executable-and-packages.md)",
    );
  }
  writeFileSync(runtime, bytes, { mode: 0o755 });
  try {
    await bundle(temporary, runtime, executable.target);
  } finally {
    rmSync(runtime, { force: true });
  }
  if (isLinux) fillVocabularyRanges(temporary);
  renameSync(temporary, file);
}

async function bundle(outfile: string, runtime: string, target?: Target): Promise<void> {
  await Bun.build({
    entrypoints: entries.map((entry) => join(root, entry)),
    // Threads find their entries by the path below this folder.
    root: join(root, "src"),
    minify: true,
    bytecode: true,
    splitting: true,
    // Joins small chunks, because each takes at least a page of the file and is loaded by itself.
    minChunkSize: 16_384,
    format: "esm",
    plugins: [{ name: "sdk-shims", setup: replaceShims }],
    compile: {
      outfile,
      executablePath: runtime,
      // Files of a hostile working directory must not reach the meter or the server.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target === undefined ? {} : { target }),
    },
  });
}

function replaceShims(build: Bun.PluginBuilder): void {
  build.onResolve({ filter: /^@modelcontextprotocol\/(?:client|server)\/_shims$/ }, () => ({
    path: join(import.meta.dir, "sdk-shims.ts"),
  }));
}
