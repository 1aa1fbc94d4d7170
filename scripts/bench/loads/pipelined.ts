/** How many calls a second pass when a client does not wait for answers, how many are counted, and how late. */
import type { Bench } from "../bench.ts";
import { compare } from "../comparison.ts";
import {
  type Contestant,
  fixture,
  everyRole,
  listContestants,
  pick,
  pickOptional,
} from "../contestants.ts";
import { interleave, type Series } from "../interleave.ts";
import type { Comparison, Figure, Measurement, Verdict } from "../measurement.ts";
import { callAnswerLine, callLine, joinLines } from "../messages.ts";
import { type Burst, type Passage, passBurst } from "../passage.ts";
import { median, sum } from "../statistics.ts";
import { atLeast, atMost, exactly } from "../verdict.ts";

const callCount = 150_000;
const passedPerSecondMin = 400_000;
const countedPerSecondMin = 60_000;
const peakMbMax = 150;
const lifetimeMaxMs = 120_000;

type Passages = Series<Contestant, Passage>;

export async function benchPipelined(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 5;
  const burst = pipelinedBurst();
  const all = await interleave(listContestants(bench, everyRole), rounds, (contestant) =>
    passBurst(bench, contestant, burst),
  );
  return {
    load: "pipelined",
    caption: `${callCount.toLocaleString("en-US")} calls at once, ${rounds} rounds each, interleaved; every answer compared; medians, highest memory.`,
    columns: ["passing", "of bare", "counted", "lag", "peak memory", "records dropped"],
    rows: all.map((one) => ({
      contestant: one.contestant.name,
      figures: figures(one, pick(all, "bare")),
    })),
    verdicts: judge(all, rounds),
    comparisons: comparePassages(all),
    plot: {
      kind: "lines",
      title: "Resident memory during and after 150,000 calls at once",
      unit: "MB",
      time: "seconds",
      lines: all.map(({ contestant, samples }) => ({
        name: contestant.name,
        points: samples.at(-1)?.resident ?? [],
      })),
    },
  };
}

/** Every byte of every answer is compared, so order and completeness are part of the measurement. */
function pipelinedBurst(): Burst {
  const requests = joinLines(callLine, 1, callCount + 1);
  const answers = joinLines(callAnswerLine, 1, callCount + 1);
  return {
    server: fixture("answering"),
    calls: callCount,
    prepare: (peer) => peer.handshake(),
    exchange: (peer) => Promise.all([peer.send(requests), peer.expect(answers)]),
    lifetimeMaxMs,
  };
}

function figures({ samples }: Passages, direct: Passages): readonly Figure[] {
  const ofBare = samples.map(
    ({ passedSeconds }, round) =>
      (direct.samples[round]?.passedSeconds ?? Number.NaN) / passedSeconds,
  );
  return [
    { value: perSecond(samples, "passedSeconds"), unit: "/s" },
    { value: median(ofBare), unit: "×" },
    { value: perSecond(samples, "countedSeconds"), unit: "/s" },
    { value: median(samples.map(({ lagSeconds }) => lagSeconds)), unit: "s" },
    { value: peakMb(samples), unit: "MB" },
    { value: sum(samples.map(({ records }) => records?.dropped ?? Number.NaN)), unit: "" },
  ];
}

function judge(all: readonly Passages[], rounds: number): readonly Verdict[] {
  const { samples } = pick(all, "meter");
  return [
    atLeast("passing", perSecond(samples, "passedSeconds"), passedPerSecondMin, "/s"),
    atLeast("counted", perSecond(samples, "countedSeconds"), countedPerSecondMin, "/s"),
    atMost("peak memory", peakMb(samples), peakMbMax, "MB"),
    ...all
      .filter(({ contestant: { role, meters } }) => meters && role !== "older")
      .map((one) =>
        exactly(
          `${one.contestant.name}: calls recorded exactly once in all rounds`,
          sum(one.samples.map(({ records }) => records?.once ?? Number.NaN)),
          callCount * rounds,
        ),
      ),
  ];
}

function comparePassages(all: readonly Passages[]): readonly Comparison[] {
  const [older, newer] = [pickOptional(all, "older"), pick(all, "meter")];
  if (older === undefined) return [];
  return (
    [
      ["passing", "passedSeconds"],
      ["counted", "countedSeconds"],
    ] as const
  ).map(([what, field]) =>
    compare({
      what,
      unit: "s",
      older: older.samples.map((passage) => passage[field]),
      newer: newer.samples.map((passage) => passage[field]),
    }),
  );
}

function perSecond(
  passages: readonly Passage[],
  field: "passedSeconds" | "countedSeconds",
): number {
  return callCount / median(passages.map((passage) => passage[field]));
}

function peakMb(passages: readonly Passage[]): number {
  return Math.max(...passages.map((passage) => passage.peakMb));
}
