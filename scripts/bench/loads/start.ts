/** What a wrapper adds to the start of a program that ends at once, and how much memory it takes. */
import type { Bench } from "../bench.ts";
import { comparedOf, type Contestant, contestantsOf, fixture } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import { callAnswerLine, callLine, listLine } from "../messages.ts";
import type { Measurement } from "../measurement.ts";
import { withPeer } from "../peer.ts";
import { peakResidentMb } from "../procfs.ts";
import { newLog } from "../scratch-log.ts";
import { median, percentile } from "../statistics.ts";
import { atMost } from "../verdict.ts";

const ADDED_MS_MAX = 25;
const PEAK_MB_MAX = 60;
const MEMORY_ROUNDS = 5;
const WARM_ROUNDS = 2;
const LIFETIME_MAX_MS = 10_000;

interface Started {
  readonly contestant: Contestant;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** While the server sleeps, and after a handshake, a listing and one call. */
  readonly idleMb: number;
  readonly sessionMb: number;
}

export async function benchStart(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 20 : 100;
  const contestants = contestantsOf(bench);
  const starts = await interleave(contestants, rounds + WARM_ROUNDS, (one) => startMs(bench, one));
  const memory = await interleave(contestants, MEMORY_ROUNDS, async (one) => ({
    idleMb: await idlePeakMb(bench, one),
    sessionMb: await sessionPeakMb(bench, one),
  }));
  const started = starts.map(({ contestant, samples }, index) => {
    const peaks = memory[index]?.samples ?? [];
    return {
      contestant,
      medianMs: median(samples.slice(WARM_ROUNDS)),
      p95Ms: percentile(samples.slice(WARM_ROUNDS), 95),
      idleMb: Math.max(...peaks.map((peak) => peak.idleMb)),
      sessionMb: Math.max(...peaks.map((peak) => peak.sessionMb)),
    };
  });
  return measurementOf(started, rounds);
}

function measurementOf(started: readonly Started[], rounds: number): Measurement {
  const { direct, meter } = comparedOf(started);
  return {
    load: "start",
    caption: `${rounds} starts of \`true\` each, interleaved; memory is the highest of ${MEMORY_ROUNDS} runs.`,
    columns: ["median", "p95", "median added", "p95 added", "idle peak", "session peak"],
    rows: started.map(({ contestant, medianMs, p95Ms, idleMb, sessionMb }) => ({
      contestant: contestant.name,
      figures: [
        { value: medianMs, unit: "ms" },
        { value: p95Ms, unit: "ms" },
        { value: medianMs - direct.medianMs, unit: "ms" },
        { value: p95Ms - direct.p95Ms, unit: "ms" },
        { value: idleMb, unit: "MB" },
        { value: sessionMb, unit: "MB" },
      ],
    })),
    verdicts: [
      atMost("median added", meter.medianMs - direct.medianMs, ADDED_MS_MAX, "ms"),
      atMost("idle peak", meter.idleMb, PEAK_MB_MAX, "MB"),
      atMost("session peak", meter.sessionMb, PEAK_MB_MAX, "MB"),
    ],
  };
}

/** From spawn to exit, by a blocking wait: an event loop would add its own wake-up. */
function startMs(bench: Bench, contestant: Contestant): number {
  const command = contestant.wrap(["true"], newLog(bench));
  const startedMs = performance.now();
  const { exitCode } = Bun.spawnSync({
    cmd: [...command],
    env: bench.env,
    stdio: ["ignore", "ignore", bench.stderr],
    timeout: LIFETIME_MAX_MS,
  });
  const tookMs = performance.now() - startedMs;
  if (exitCode !== 0) throw new Error(`"${contestant.name}" ended with code ${exitCode}`);
  return tookMs;
}

/**
 * The most memory the first process had while its server slept. Read from /proc until the process is
 * gone: what wait4 reports would include our own memory at the moment of the fork.
 */
async function idlePeakMb(bench: Bench, contestant: Contestant): Promise<number> {
  const command = contestant.wrap(["sleep", "0.2"], newLog(bench));
  const child = Bun.spawn({
    cmd: [...command],
    env: bench.env,
    stdio: ["ignore", "ignore", bench.stderr],
    timeout: LIFETIME_MAX_MS,
  });
  let peakMb = 0;
  for (let seen = peakResidentMb(child.pid); seen !== undefined; seen = peakResidentMb(child.pid)) {
    peakMb = Math.max(peakMb, seen);
    Bun.sleepSync(1);
  }
  await child.exited;
  return peakMb;
}

/** The same after a handshake, a listing and one call were counted. */
async function sessionPeakMb(bench: Bench, contestant: Contestant): Promise<number> {
  const command = contestant.wrap(fixture("answering"), newLog(bench));
  return withPeer(bench, command, async (peer) => {
    await peer.handshake();
    await peer.send(Buffer.from(listLine(1)));
    await peer.line();
    await peer.send(Buffer.from(callLine(2)));
    await peer.expect(Buffer.from(callAnswerLine(2)));
    await Bun.sleep(100);
    return peakResidentMb(peer.pid) ?? Number.NaN;
  });
}
