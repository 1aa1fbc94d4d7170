/** How long one huge line takes, and how much memory the wrapper needs for it. */
import type { Bench } from "../bench.ts";
import { type Contestant, fixture, listContestants, pick, type Role } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { callLine } from "../messages.ts";
import { withPeer } from "../peer.ts";
import { peakResidentMb } from "../procfs.ts";
import { newLog } from "../scratch-log.ts";
import { median } from "../statistics.ts";
import { atMost } from "../verdict.ts";

const roles: readonly Role[] = ["bare", "pipe", "tee", "meter", "unlogged", "older"];
const lineBytes = 100_000_000;
const secondsMax = 1;
/** 64 MB for the program and twice the 8 MiB of a line that are observed. */
const peakMbMax = 64 + (2 * 8 * 1024 * 1024) / 1e6;

type Passed = {
  readonly contestant: Contestant;
  readonly seconds: number;
  readonly peakMb: number;
};

export async function benchLine(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 2 : 7;
  const series = await interleave(listContestants(bench, roles), rounds, (one) =>
    passLine(bench, one),
  );
  const passed = series.map(({ contestant, samples }) => ({
    contestant,
    seconds: median(samples.map((sample) => sample.seconds)),
    peakMb: Math.max(...samples.map((sample) => sample.peakMb)),
  }));
  return summarize(passed, rounds);
}

/** From the call until its whole answer is there; memory is the highest that the first process had. */
async function passLine(bench: Bench, contestant: Contestant): Promise<Omit<Passed, "contestant">> {
  const command = contestant.wrap(fixture("long-line", lineBytes), newLog(bench));
  return withPeer(bench, command, async (peer) => {
    await peer.line();
    const startedMs = performance.now();
    await peer.send(Buffer.from(callLine(1)));
    await peer.drain(lineBytes);
    const seconds = (performance.now() - startedMs) / 1000;
    return { seconds, peakMb: peakResidentMb(peer.pid) ?? Number.NaN };
  });
}

function summarize(passed: readonly Passed[], rounds: number): Measurement {
  const [direct, meter] = [pick(passed, "bare"), pick(passed, "meter")];
  return {
    load: "line",
    caption: `One answer of ${lineBytes / 1e6} MB in one line, ${rounds} rounds each, interleaved; median time, highest memory.`,
    columns: ["time", "of bare", "peak memory"],
    rows: passed.map(({ contestant, seconds, peakMb }) => ({
      contestant: contestant.name,
      figures: [
        { value: seconds, unit: "s" },
        { value: seconds / direct.seconds, unit: "×" },
        { value: peakMb, unit: "MB" },
      ],
    })),
    verdicts: [
      atMost("time", meter.seconds, secondsMax, "s"),
      atMost("peak memory", meter.peakMb, peakMbMax, "MB"),
    ],
  };
}
