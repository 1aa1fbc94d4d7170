import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { execa } from "execa";
import { hardenRuntime } from "./runtime.ts";
import { fillVocabularyRanges } from "./vocabulary-ranges.ts";

const root = join(import.meta.dir, "..");

// The program and its threads.
const entries = [
  "src/main.ts",
  "src/transport/forwarder/thread.ts",
  "src/commands/import/log-groups.ts",
];

type Executable = {
  readonly file: string;
  readonly runtime: string;
  /** Bun's name of the platform, such as `bun-linux-arm64`; undefined for this machine. */
  readonly target?: string;
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
      "on this platform BUN_JSC_ variables act on mcp-meter (docs/adr/0034-executable-and-packages.md)",
    );
  }
  writeFileSync(runtime, bytes, { mode: 0o755 });
  try {
    const flags = listCompileFlags(runtime, executable.target);
    await execa({
      cwd: root,
      stderr: "inherit",
    })`bun build ${flags} --outfile ${temporary} ${entries}`;
  } finally {
    rmSync(runtime, { force: true });
  }
  if (isLinux) fillVocabularyRanges(temporary);
  renameSync(temporary, file);
}

function listCompileFlags(runtime: string, target: string | undefined): readonly string[] {
  return [
    "--compile",
    "--minify",
    "--bytecode",
    "--splitting",
    // Joins small chunks, because each takes at least a page of the file and is loaded by itself.
    "--min-chunk-size=16384",
    "--format=esm",
    // Files of a hostile working directory must not reach the meter or the server.
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    `--compile-executable-path=${runtime}`,
    ...(target === undefined ? [] : [`--target=${target}`]),
  ];
}
