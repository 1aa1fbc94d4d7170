import { join } from "node:path";
import {
  type Bench,
  type Contestant,
  makeServerCommand,
  listContestants,
  makeLogPath,
  pick,
  pickOptional,
  type Role,
  withPeer,
} from "../bench.ts";
import {
  atMost,
  compare,
  type Comparison,
  interleave,
  type Measurement,
  median,
  notWorse,
  percentile,
} from "../figures.ts";
import { callAnswerLine, callLine, listLine } from "../messages.ts";
import { compileProgram, peakResidentMb } from "../processes.ts";

const roles: readonly Role[] = ["bare", "pipe", "tee", "smallest", "meter", "unlogged", "older"];
const addedMsMax = 12;
const peakMbMax = 64;
const memoryRounds = 5;
const warmRounds = 2;
const lifetimeMaxMs = 10_000;
const wallTime = "start, wall time";

type Started = {
  readonly contestant: Contestant;
  readonly startsMs: readonly number[];
  readonly startsCpuMs: readonly number[];
  readonly idleMb: readonly number[];
  readonly sessionMb: readonly number[];
};

export async function benchStart(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 20 : 100;
  const source = join(import.meta.dir, "../bun-spawn.ts");
  const smallest = compileProgram(source, join(bench.scratch, "smallest"));
  const contestants = listContestants({ ...bench, smallest }, roles);
  const starts = await interleave(contestants, rounds + warmRounds, (contestant) =>
    measureStart(bench, contestant),
  );
  const memory = await interleave(contestants, memoryRounds, async (contestant) => ({
    idleMb: await measureIdlePeak(bench, contestant),
    sessionMb: await measureSessionPeak(bench, contestant),
  }));
  const started = starts.map(({ contestant, samples }, index) => {
    const peaks = memory[index]?.samples ?? [];
    return {
      contestant,
      startsMs: samples.slice(warmRounds).map(({ wallMs }) => wallMs),
      startsCpuMs: samples.slice(warmRounds).map(({ cpuMs }) => cpuMs),
      idleMb: peaks.map((peak) => peak.idleMb),
      sessionMb: peaks.map((peak) => peak.sessionMb),
    };
  });
  return summarize(started, rounds);
}

function summarize(started: readonly Started[], rounds: number): Measurement {
  const [direct, meter] = [pick(started, "bare"), pick(started, "meter")];
  const older = pickOptional(started, "older");
  const directP95Ms = percentile(direct.startsMs, 95);
  const comparisons = older === undefined ? [] : compareStarts(older, meter);
  return {
    caption: `${rounds} starts of \`true\` each, interleaved; memory is the highest of ${memoryRounds} runs.`,
    columns: ["median", "p95", "median added", "p95 added", "idle peak", "session peak"],
    rows: started.map(({ contestant, startsMs, idleMb, sessionMb }) => ({
      contestant: contestant.name,
      figures: [
        { value: median(startsMs), unit: "ms" },
        { value: percentile(startsMs, 95), unit: "ms" },
        { value: medianAddedMs(startsMs, direct.startsMs), unit: "ms" },
        { value: percentile(startsMs, 95) - directP95Ms, unit: "ms" },
        { value: Math.max(...idleMb), unit: "MB" },
        { value: Math.max(...sessionMb), unit: "MB" },
      ],
    })),
    verdicts: [
      atMost("median added", medianAddedMs(meter.startsMs, direct.startsMs), addedMsMax, "ms"),
      atMost("idle peak", Math.max(...meter.idleMb), peakMbMax, "MB"),
      atMost("session peak", Math.max(...meter.sessionMb), peakMbMax, "MB"),
      ...comparisons.filter(({ what }) => what !== wallTime).map(notWorse),
    ],
    comparisons,
  };
}

function medianAddedMs(ms: readonly number[], directMs: readonly number[]): number {
  return median(ms.map((value, round) => value - (directMs[round] ?? Number.NaN)));
}

function compareStarts(older: Started, newer: Started): readonly Comparison[] {
  const figures = [
    [wallTime, "ms", "startsMs"],
    ["start, processor time", "ms", "startsCpuMs"],
    ["idle peak", "MB", "idleMb"],
    ["session peak", "MB", "sessionMb"],
  ] as const;
  return figures.map(([what, unit, field]) =>
    compare({ what, unit, older: older[field], newer: newer[field] }),
  );
}

/** Measures from spawn to exit by a blocking wait: an event loop would add its wake-up. */
function measureStart(bench: Bench, contestant: Contestant): { wallMs: number; cpuMs: number } {
  const command = contestant.wrap(["true"], makeLogPath(bench));
  const startedMs = performance.now();
  const { exitCode, resourceUsage } = Bun.spawnSync({
    cmd: [...command],
    env: bench.env,
    stdio: ["ignore", "ignore", bench.stderr],
    timeout: lifetimeMaxMs,
  });
  const wallMs = performance.now() - startedMs;
  if (exitCode !== 0) throw new Error(`"${contestant.name}" ended with code ${exitCode}`);
  return { wallMs, cpuMs: Number(resourceUsage.cpuTime.total) / 1000 };
}

/** Reads /proc until the process is gone: wait4 would include our own memory at the fork. */
async function measureIdlePeak(bench: Bench, contestant: Contestant): Promise<number> {
  const child = Bun.spawn({
    cmd: [...contestant.wrap(["sleep", "0.2"], makeLogPath(bench))],
    env: bench.env,
    stdio: ["ignore", "ignore", bench.stderr],
    timeout: lifetimeMaxMs,
  });
  let peakMb = 0;
  for (
    let currentMb = peakResidentMb(child.pid);
    currentMb !== undefined;
    currentMb = peakResidentMb(child.pid)
  ) {
    peakMb = Math.max(peakMb, currentMb);
    Bun.sleepSync(1);
  }
  await child.exited;
  return peakMb;
}

async function measureSessionPeak(bench: Bench, contestant: Contestant): Promise<number> {
  const command = contestant.wrap(makeServerCommand("answering"), makeLogPath(bench));
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
