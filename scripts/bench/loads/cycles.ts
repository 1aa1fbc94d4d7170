/** Whether a meter that is killed at any moment leaves its server running, or loses records that were due. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { Random } from "../../fuzz/random.ts";
import type { Bench } from "../bench.ts";
import { type Contestant, fixture, listContestants, type Role } from "../contestants.ts";
import { findLost, type Life, type LostRecords } from "../lost-records.ts";
import type { Figure, Measurement, Verdict } from "../measurement.ts";
import { callAnswerLine, callLine } from "../messages.ts";
import { Peer } from "../peer.ts";
import { findProcesses } from "../procfs.ts";
import { countRecords } from "../records.ts";
import { dropLog, newLog } from "../scratch-log.ts";
import { sum } from "../statistics.ts";
import { atLeast, atMost, exactly } from "../verdict.ts";

const roles: readonly Role[] = ["meter", "gated", "portable", "older"];
const callsPerCycle = 20;
/** 100 calls and their 100 answers a second. */
const callEveryMs = 10;
/** A cycle takes about 250 ms, so that some end before their kill comes. */
const killMsMax = 320;
/** A record may be lost with the meter as long as its answer is younger than this. */
const lagMaxMs = 100;
/** Fewer would mean that kills come too late to say anything. */
const killedShareMin = 0.5;
const orphanGraceMs = 3_000;
const orphanPollMs = 50;
const lifetimeMaxMs = 30_000;
const seed = 20_261_122;

type Cycle = {
  readonly wasKilled: boolean;
  readonly lost: LostRecords;
  readonly torn: number;
};

type Cycled = { readonly contestant: Contestant; readonly cycles: readonly Cycle[] };

/** Each contestant runs its cycles one after the other, all contestants side by side. */
export async function benchCycles(bench: Bench): Promise<Measurement> {
  const count = bench.quick ? 60 : 500;
  const marker = `cycles-${basename(bench.scratch)}`;
  const all = await Promise.all(
    listContestants(bench, roles).map(async (contestant, place) => ({
      contestant,
      cycles: await runCycles(bench, contestant, {
        count,
        marker,
        chance: new Random(seed + place),
      }),
    })),
  );
  const orphans = await endOrphans(marker);
  return {
    load: "cycles",
    caption: `${count} sessions each (initialize, ${callsPerCycle} calls at ${1000 / callEveryMs} per second, close), killed with SIGKILL at a random moment of the first ${killMsMax} ms, if they last so long; the contestants side by side.`,
    columns: ["killed", "records lost", "oldest lost", "torn lines"],
    rows: all.map(({ contestant, cycles }) => ({
      contestant: contestant.name,
      figures: figures(cycles),
    })),
    verdicts: [...all.flatMap(judge), exactly("servers left running", orphans, 0)],
    plot: {
      kind: "bars",
      title: "Age of the oldest record that a kill has lost",
      unit: "ms",
      bars: all.map(({ contestant, cycles }) => ({
        name: contestant.name,
        value: oldestLost(cycles),
      })),
    },
  };
}

type Run = { readonly count: number; readonly marker: string; readonly chance: Random };

async function runCycles(
  bench: Bench,
  contestant: Contestant,
  { count, marker, chance }: Run,
): Promise<readonly Cycle[]> {
  const cycles: Cycle[] = [];
  for (let round = 0; round < count; round++) {
    const log = newLog(bench);
    const command = contestant.wrap([...fixture("answering"), marker], log);
    const peer = new Peer(bench, command, lifetimeMaxMs);
    try {
      const life = await liveUntil(peer, chance.next() * killMsMax);
      cycles.push(await judgeCycle(log, life));
    } finally {
      peer.kill();
    }
    dropLog(log);
  }
  return cycles;
}

/** A whole session that is killed after `killAfterMs`. Throws when it ends in another way than by itself or so. */
async function liveUntil(peer: Peer, killAfterMs: number): Promise<Life> {
  const answersMs: number[] = [];
  let killedMs: number | undefined;
  const timer = setTimeout(() => {
    killedMs = performance.now();
    peer.kill();
  }, killAfterMs);
  const ended = live(peer, answersMs).catch((error: unknown) => {
    if (killedMs === undefined) throw error;
  });
  // A write to a process that was killed need not come back.
  await Promise.race([ended, peer.exited.then(() => (killedMs === undefined ? ended : undefined))]);
  clearTimeout(timer);
  if (killedMs === undefined) await ended;
  else await peer.exited;
  return { answersMs: [...answersMs], killedMs };
}

/** Appends the time of each answer. */
async function live(peer: Peer, answersMs: number[]): Promise<void> {
  await peer.handshake();
  for (let id = 1; id <= callsPerCycle; id++) {
    const dueMs = performance.now() + callEveryMs;
    await peer.send(Buffer.from(callLine(id)));
    await peer.expect(Buffer.from(callAnswerLine(id)));
    answersMs.push(performance.now());
    await Bun.sleep(Math.max(0, dueMs - performance.now()));
  }
  await peer.close();
}

async function judgeCycle(log: string, life: Life): Promise<Cycle> {
  const records = existsSync(log) ? await countRecords(log) : { once: 0, torn: 0 };
  return {
    wasKilled: life.killedMs !== undefined,
    lost: findLost(life, records.once),
    torn: records.torn,
  };
}

/** Waits until no server is left, then ends those that are and returns how many they were. */
async function endOrphans(marker: string): Promise<number> {
  const untilMs = performance.now() + orphanGraceMs;
  let orphans = findProcesses(marker);
  while (orphans.length > 0 && performance.now() < untilMs) {
    await Bun.sleep(orphanPollMs);
    orphans = findProcesses(marker);
  }
  for (const pid of orphans) process.kill(pid, "SIGKILL");
  return orphans.length;
}

function figures(cycles: readonly Cycle[]): readonly Figure[] {
  return [
    { value: killedCount(cycles), unit: "" },
    { value: sum(cycles.map(({ lost }) => lost.count)), unit: "" },
    { value: oldestLost(cycles), unit: "ms" },
    { value: sum(cycles.map(({ torn }) => torn)), unit: "" },
  ];
}

function judge({ contestant: { name, role }, cycles }: Cycled): readonly Verdict[] {
  if (role === "older") return [];
  return [
    atLeast(
      `${name}: share of cycles killed`,
      killedCount(cycles) / cycles.length,
      killedShareMin,
      "",
    ),
    atMost(`${name}: age of the oldest lost record`, oldestLost(cycles), lagMaxMs, "ms"),
  ];
}

function killedCount(cycles: readonly Cycle[]): number {
  return cycles.filter(({ wasKilled }) => wasKilled).length;
}

function oldestLost(cycles: readonly Cycle[]): number {
  return Math.max(...cycles.map(({ lost }) => lost.oldestMs));
}
