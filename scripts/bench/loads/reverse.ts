/** How fast many open calls find their answers when the last one is answered first. */
import type { Bench } from "../bench.ts";
import { type Contestant, fixture, listContestants, pick, type Role } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { callAnswerLine, callLine, joinLines } from "../messages.ts";
import { withPeer } from "../peer.ts";
import { countRecords, type RecordCount } from "../records.ts";
import { dropLog, newLog } from "../scratch-log.ts";
import { median, sum } from "../statistics.ts";
import { exactly, under } from "../verdict.ts";

const roles: readonly Role[] = ["bare", "pipe", "tee", "meter", "unlogged", "gated", "older"];
const callCount = 10_000;
const secondsMax = 0.5;

type Run = {
  readonly seconds: number;
  readonly records: RecordCount | undefined;
};

type Reversed = {
  readonly contestant: Contestant;
  readonly medianSeconds: number;
  readonly slowestSeconds: number;
  readonly records: readonly RecordCount[];
};

export async function benchReverse(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 3 : 15;
  const requests = joinLines(callLine, 1, callCount + 1);
  const answers = reversedAnswers();
  const series = await interleave(listContestants(bench, roles), rounds, (contestant) =>
    openThenAnswer(bench, contestant, requests, answers),
  );
  const reversed = series.map(({ contestant, samples }) => ({
    contestant,
    medianSeconds: median(samples.map((run) => run.seconds)),
    slowestSeconds: Math.max(...samples.map((run) => run.seconds)),
    records: samples.flatMap(({ records }) => records ?? []),
  }));
  return summarize(reversed, rounds);
}

function reversedAnswers(): Buffer {
  return joinLines((id) => callAnswerLine(callCount + 1 - id), 1, callCount + 1);
}

/** From the first call sent to the last answer read; the records tell whether a call stayed open. */
async function openThenAnswer(
  bench: Bench,
  contestant: Contestant,
  requests: Buffer,
  answers: Buffer,
): Promise<Run> {
  const log = newLog(bench);
  const command = contestant.wrap(fixture("reversing", callCount), log);
  const seconds = await withPeer(bench, command, async (peer) => {
    await peer.line();
    const startedMs = performance.now();
    await Promise.all([peer.send(requests), peer.expect(answers)]);
    return (performance.now() - startedMs) / 1000;
  });
  const records = contestant.meters ? await countRecords(log) : undefined;
  dropLog(log);
  return { seconds, records };
}

function summarize(reversed: readonly Reversed[], rounds: number): Measurement {
  const [direct, meter] = [pick(reversed, "bare"), pick(reversed, "meter")];
  const calls = sum(meter.records.map(({ calls: count }) => count));
  const unanswered = sum(meter.records.map(({ unanswered: open }) => open));
  return {
    load: "reverse",
    caption: `${callCount.toLocaleString("en-US")} open calls answered last to first, ${rounds} rounds each, interleaved; every answer compared.`,
    columns: ["median", "slowest", "of bare"],
    rows: reversed.map(({ contestant, medianSeconds, slowestSeconds }) => ({
      contestant: contestant.name,
      figures: [
        { value: medianSeconds, unit: "s" },
        { value: slowestSeconds, unit: "s" },
        { value: medianSeconds / direct.medianSeconds, unit: "×" },
      ],
    })),
    verdicts: [
      under("median", meter.medianSeconds, secondsMax, "s"),
      exactly("call records of all rounds", calls, callCount * rounds),
      exactly("calls left open", unanswered, 0),
    ],
  };
}
