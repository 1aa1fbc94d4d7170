import { join } from "node:path";

const listingServer = join(import.meta.dir, "listing-server.ts");

/** Writes a lock of the fake server's tools with the program under test; throws when that fails. */
export function writeLock(executable: string, dir: string, tokenizer: string): string {
  const file = join(dir, "tools.lock");
  const command = [process.execPath, listingServer];
  const flags = ["--file", file, "--tokenizer", tokenizer];
  const run = Bun.spawnSync([executable, "lock", ...flags, "--", ...command], {
    env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: dir },
    cwd: dir,
  });
  if (run.exitCode !== 0) throw new Error(`Cannot write the lock: ${run.stderr.toString()}`);
  return file;
}
