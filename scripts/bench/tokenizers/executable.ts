import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { median } from "../statistics.ts";

const runCount = 9;

/** Milliseconds from nothing loaded to the first count in an executable of its own, the median. */
export async function measureExecutable(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "first-count-"));
  try {
    const executable = join(folder, "first-count");
    const source = join(import.meta.dir, "first-count.ts");
    const flags = ["--compile", "--minify", "--bytecode", "--splitting", "--format=esm"];
    await execa(process.execPath, ["build", ...flags, "--outfile", executable, source]);
    const times: number[] = [];
    for (let run = 0; run < runCount; run++) times.push(Number((await execa(executable)).stdout));
    return median(times);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
