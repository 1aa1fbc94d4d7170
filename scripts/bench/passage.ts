import type { Bench } from "./bench.ts";
import type { Contestant } from "./contestants.ts";
import { type Memory, withMemory } from "./memory.ts";
import { type Peer, withPeer } from "./peer.ts";
import { countRecords, type RecordCount } from "./records.ts";
import { dropLog, newLog } from "./scratch-log.ts";
import { watchCalls } from "./watch-calls.ts";

const watchEveryMs = 10;

/** What a contestant made of a burst of calls, timed from the first byte sent. */
export type Passage = Memory & {
  /** Until the last answer was read. */
  readonly passedSeconds: number;
  /** Until the last record was in the file; NaN without a file, or when records are missing. */
  readonly countedSeconds: number;
  /** From the last answer read to the last record; NaN like `countedSeconds`. */
  readonly lagSeconds: number;
  /** Of the whole session; undefined without a file. */
  readonly records: RecordCount | undefined;
};

/** A burst: `server` answers `calls` calls that `exchange` sends and whose answers it reads to the last byte. */
export type Burst = {
  readonly server: readonly string[];
  readonly calls: number;
  /** Before the clock starts. */
  readonly prepare?: (peer: Peer) => Promise<unknown>;
  readonly exchange: (peer: Peer) => Promise<unknown>;
  readonly lifetimeMaxMs: number;
};

/** Runs a burst through a contestant; the record file is read while it grows, then once more as a whole. */
export async function passBurst(
  bench: Bench,
  contestant: Contestant,
  burst: Burst,
): Promise<Passage> {
  const log = newLog(bench);
  const work = async (peer: Peer): Promise<Passage> => {
    await burst.prepare?.(peer);
    const [times, memory] = await withMemory(peer.pid, () =>
      timeBurst(peer, burst, contestant.meters ? log : undefined),
    );
    return { ...times, ...memory, records: undefined };
  };
  const passage = await withPeer(
    bench,
    contestant.wrap(burst.server, log),
    work,
    burst.lifetimeMaxMs,
  );
  const records = contestant.meters ? await countRecords(log) : undefined;
  dropLog(log);
  return { ...passage, records };
}

async function timeBurst(
  peer: Peer,
  { calls, exchange }: Burst,
  log: string | undefined,
): Promise<Pick<Passage, "passedSeconds" | "countedSeconds" | "lagSeconds">> {
  const startedMs = performance.now();
  const [passedMs, countedMs] = await Promise.all([
    exchange(peer).then(() => performance.now()),
    log === undefined ? Number.NaN : watchCalls(log, calls, watchEveryMs),
  ]);
  return {
    passedSeconds: (passedMs - startedMs) / 1000,
    countedSeconds: (countedMs - startedMs) / 1000,
    // A record of a gated lane may precede its answer.
    lagSeconds: Math.max(0, countedMs - passedMs) / 1000,
  };
}
