/** The smallest wrapper: how little time and memory a wrapper of this runtime can take, before it does anything. */
import { join } from "node:path";

const source = join(import.meta.dir, "bun-spawn.ts");
const compileMaxMs = 60_000;

/** Compiles it into `folder`, as mcp-meter is compiled, and returns its path. Throws an Error when that fails. */
export function compileSmallest(folder: string): string {
  const executable = join(folder, "smallest");
  const flags = ["--compile", "--minify", "--bytecode", "--format=esm", "--outfile", executable];
  const { success, stderr } = Bun.spawnSync({
    cmd: [process.execPath, "build", ...flags, source],
    stdio: ["ignore", "ignore", "pipe"],
    timeout: compileMaxMs,
  });
  if (!success) throw new Error(`Cannot compile "${source}": ${String(stderr)}`);
  return executable;
}
