/** How many messages a second pass when a client does not wait for answers, and whether all come in order. */
import type { Bench } from "../bench.ts";
import { pickCompared, type Contestant, listContestants, fixture } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { callAnswerLine, callLine, joinLines } from "../messages.ts";
import { withPeer } from "../peer.ts";
import { peakResidentMb } from "../procfs.ts";
import { countRecords, type RecordCount } from "../records.ts";
import { dropLog, newLog } from "../scratch-log.ts";
import { median } from "../statistics.ts";
import { atLeast, exactly } from "../verdict.ts";

const callCount = 150_000;
/** The call and its answer. */
const messagesPerCall = 2;
const messagesPerSecondMin = 100_000;

type Run = {
  /** From the first call sent to the last answer read, and to the end of the session. */
  readonly seconds: number;
  readonly wholeSeconds: number;
  readonly peakMb: number;
  readonly records: RecordCount | undefined;
};

type Throughput = {
  readonly contestant: Contestant;
  readonly callsPerSecond: number;
  readonly wholeSeconds: number;
  readonly peakMb: number;
  /** Of all rounds; NaN without a record file. */
  readonly counted: number;
  readonly dropped: number;
};

export async function benchPipelined(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 5;
  const requests = joinLines(callLine, 1, callCount + 1);
  const answers = joinLines(callAnswerLine, 1, callCount + 1);
  const series = await interleave(listContestants(bench), rounds, (contestant) =>
    pipeline(bench, contestant, requests, answers),
  );
  const throughputs = series.map(({ contestant, samples }) => summarizeRuns(contestant, samples));
  return summarize(throughputs, rounds);
}

/** Every byte of every answer is compared, so order and completeness are part of the measurement. */
async function pipeline(
  bench: Bench,
  contestant: Contestant,
  requests: Buffer,
  answers: Buffer,
): Promise<Run> {
  const log = newLog(bench);
  const command = contestant.wrap(fixture("answering"), log);
  const { startedMs, ...run } = await withPeer(bench, command, async (peer) => {
    await peer.handshake();
    const beginMs = performance.now();
    await Promise.all([peer.send(requests), peer.expect(answers)]);
    const seconds = secondsSince(beginMs);
    return { startedMs: beginMs, seconds, peakMb: peakResidentMb(peer.pid) ?? Number.NaN };
  });
  const wholeSeconds = secondsSince(startedMs);
  const records = contestant.meters ? await countRecords(log) : undefined;
  dropLog(log);
  return { ...run, wholeSeconds, records };
}

function summarizeRuns(contestant: Contestant, runs: readonly Run[]): Throughput {
  return {
    contestant,
    callsPerSecond: callCount / median(runs.map((run) => run.seconds)),
    wholeSeconds: median(runs.map((run) => run.wholeSeconds)),
    peakMb: Math.max(...runs.map((run) => run.peakMb)),
    counted: runs.reduce((sum, { records }) => sum + (records?.counted ?? Number.NaN), 0),
    dropped: runs.reduce((sum, { records }) => sum + (records?.dropped ?? Number.NaN), 0),
  };
}

function summarize(throughputs: readonly Throughput[], rounds: number): Measurement {
  const { direct, meter } = pickCompared(throughputs);
  return {
    load: "pipelined",
    caption: `${callCount.toLocaleString("en-US")} calls at once, ${rounds} rounds each, interleaved; every answer compared; medians.`,
    columns: ["calls", "messages", "of bare", "until exit", "peak memory", "records dropped"],
    rows: throughputs.map((one) => ({
      contestant: one.contestant.name,
      figures: [
        { value: one.callsPerSecond, unit: "/s" },
        { value: messagesPerCall * one.callsPerSecond, unit: "/s" },
        { value: one.callsPerSecond / direct.callsPerSecond, unit: "×" },
        { value: one.wholeSeconds, unit: "s" },
        { value: one.peakMb, unit: "MB" },
        { value: one.dropped, unit: "" },
      ],
    })),
    verdicts: [
      atLeast("messages", messagesPerCall * meter.callsPerSecond, messagesPerSecondMin, "/s"),
      exactly("calls counted in all rounds", meter.counted, callCount * rounds),
    ],
  };
}

function secondsSince(startedMs: number): number {
  return (performance.now() - startedMs) / 1000;
}
