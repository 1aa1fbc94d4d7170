import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";

/** A path for one session's records that nobody has used yet. */
export function newLog({ scratch }: Pick<Bench, "scratch">): string {
  return join(scratch, `${randomUUID()}.ndjson`);
}

/** Removes a record file that was counted, so that many rounds do not fill the disk. */
export function dropLog(path: string): void {
  rmSync(path, { force: true });
}
