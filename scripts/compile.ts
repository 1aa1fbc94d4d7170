import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { execa } from "execa";
import { hardenedRuntime } from "./runtime.ts";
import { fillPlaces } from "./vocabulary-places.ts";

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
  /** As Bun names a platform: `bun-linux-arm64`. Undefined for this machine's. */
  readonly target?: string;
  /** True for Linux: where an executable reads its vocabularies from its own file. */
  readonly isLinux: boolean;
};

export async function compileExecutable(executable: Executable): Promise<void> {
  const { file, isLinux } = executable;
  mkdirSync(dirname(file), { recursive: true });
  // Built under another name and renamed: a running mcp-meter keeps its file.
  const fresh = join(dirname(file), `${process.pid}.${basename(file)}`);
  const runtime = `${fresh}.runtime`;
  const { bytes, isComplete } = hardenedRuntime(readFileSync(executable.runtime));
  if (!isComplete) {
    console.warn(
      "on this platform BUN_JSC_ variables act on mcp-meter (docs/adr/0034-executable-and-packages.md)",
    );
  }
  writeFileSync(runtime, bytes, { mode: 0o755 });
  try {
    const flags = compileFlags(runtime, executable.target);
    await execa({
      cwd: root,
      stderr: "inherit",
    })`bun build ${flags} --outfile ${fresh} ${entries}`;
  } finally {
    rmSync(runtime, { force: true });
  }
  if (isLinux) fillPlaces(fresh);
  renameSync(fresh, file);
}

function compileFlags(runtime: string, target: string | undefined): readonly string[] {
  return [
    "--compile",
    "--minify",
    "--bytecode",
    "--splitting",
    "--format=esm",
    // Files of a hostile working directory must not reach the meter or the server.
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    `--compile-executable-path=${runtime}`,
    ...(target === undefined ? [] : [`--target=${target}`]),
  ];
}
