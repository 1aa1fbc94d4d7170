import {
  type Bench,
  type Contestant,
  removeLog,
  everyRole,
  makeServerCommand,
  listContestants,
  makeLogPath,
  pick,
  pickOptional,
  type Role,
  type Peer,
  withPeer,
} from "../bench.ts";
import {
  atLeast,
  atMost,
  compare,
  type Comparison,
  exactly,
  interleave,
  type Measurement,
  median,
  medianRatio,
  type Series,
  sum,
  type Verdict,
} from "../figures.ts";
import { callAnswerLine, callLine, joinLines } from "../messages.ts";
import { peakResidentMb } from "../processes.ts";
import { countRecords, type RecordCount, watchCalls } from "../records.ts";

const lifetimeMaxMs = 600_000;
const peakMbMax = 150;

const smallCount = 150_000;
const passedPerSecondMin = 400_000;
const countedPerSecondMin = 60_000;

const longBytes = 1_000_000;
/** As many as the spool takes, so that they pass at the speed of the pipes. */
const burstCount = 60;
const shortCount = 300;
const longCount = 3000;
const quickLongCount = 600;
const passedMbMin = 400;
const countedMbMin = 40;
const growthMax = 1.15;

type Passage = {
  readonly passedSeconds: number;
  readonly countedSeconds: number;
  readonly lagSeconds: number;
  readonly peakMb: number;
  readonly records: RecordCount | undefined;
};

type Passages = Series<Contestant, Passage>;

type Burst = {
  readonly server: readonly string[];
  readonly calls: number;
  readonly exchange: (peer: Peer) => Promise<unknown>;
};

/** Every byte of every answer is compared, so order and completeness are part of the measurement. */
export async function benchPipelined(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 5;
  const requests = joinLines(callLine, 1, smallCount + 1);
  const answers = joinLines(callAnswerLine, 1, smallCount + 1);
  const burst: Burst = {
    server: makeServerCommand("answering"),
    calls: smallCount,
    exchange: (peer) => Promise.all([peer.send(requests), peer.expect(answers)]),
  };
  const all = await interleave(listContestants(bench, everyRole), rounds, (contestant) =>
    passBurst(bench, contestant, burst),
  );
  const bareSeconds = pick(all, "bare").samples.map(({ passedSeconds }) => passedSeconds);
  return {
    caption: `${smallCount.toLocaleString("en-US")} calls at once, ${rounds} rounds each, interleaved; every answer compared; medians, highest memory.`,
    columns: ["passing", "of bare", "counted", "lag", "peak memory", "records dropped"],
    rows: all.map(({ contestant, samples }) => ({
      contestant: contestant.name,
      figures: [
        { value: smallCount / middle(samples, "passedSeconds"), unit: "/s" },
        {
          value: medianRatio(
            bareSeconds,
            samples.map(({ passedSeconds }) => passedSeconds),
          ),
          unit: "×",
        },
        { value: smallCount / middle(samples, "countedSeconds"), unit: "/s" },
        { value: middle(samples, "lagSeconds"), unit: "s" },
        { value: peakMb(samples), unit: "MB" },
        { value: sum(samples.map(({ records }) => records?.dropped ?? Number.NaN)), unit: "" },
      ],
    })),
    verdicts: judgePipelined(all, rounds),
    comparisons: comparePassages(all, ""),
  };
}

function judgePipelined(all: readonly Passages[], rounds: number): readonly Verdict[] {
  const { samples } = pick(all, "meter");
  const recorded = all
    .filter(({ contestant: { role, meters } }) => meters && role !== "older")
    .map((passages) =>
      exactly(
        `${passages.contestant.name}: calls recorded exactly once in all rounds`,
        sum(passages.samples.map(({ records }) => records?.once ?? Number.NaN)),
        smallCount * rounds,
      ),
    );
  const passing = smallCount / middle(samples, "passedSeconds");
  const counted = smallCount / middle(samples, "countedSeconds");
  return [
    atLeast("passing", passing, passedPerSecondMin, "/s"),
    atLeast("counted", counted, countedPerSecondMin, "/s"),
    atMost("peak memory", peakMb(samples), peakMbMax, "MB"),
    ...recorded,
  ];
}

type Bulks = {
  readonly contestant: Contestant;
  readonly burst: readonly Passage[];
  readonly short: readonly Passage[];
  readonly long: readonly Passage[];
};

const bulkRoles: readonly Role[] = ["bare", "pipe", "tee", "meter", "gated", "portable", "older"];

export async function benchBulk(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 3;
  const count = bench.quick ? quickLongCount : longCount;
  const contestants = listContestants(bench, bulkRoles);
  const passAll = (calls: number, times: number): Promise<readonly Passages[]> => {
    const requests = joinLines(callLine, 1, calls + 1);
    const burst: Burst = {
      server: makeServerCommand("answering", longBytes),
      calls,
      exchange: (peer) => Promise.all([peer.send(requests), peer.drain(calls * longBytes)]),
    };
    return interleave(contestants, times, (contestant) => passBurst(bench, contestant, burst));
  };
  const burst = await passAll(burstCount, rounds);
  const short = await passAll(shortCount, rounds);
  const long = await passAll(count, 1);
  const all = contestants.map((contestant, at) => ({
    contestant,
    burst: burst[at]?.samples ?? [],
    short: short[at]?.samples ?? [],
    long: long[at]?.samples ?? [],
  }));
  return {
    caption: `Answers of 1 MB to calls sent at once: ${rounds} × ${burstCount} and ${rounds} × ${shortCount} of them, interleaved, and ${count} once; medians, highest memory.`,
    ...tabulateBulks(all, count),
    verdicts: judgeBulks(pick(all, "meter"), pick(all, "gated"), count),
    comparisons: comparePassages(short, `${shortCount} answers, `),
  };
}

function tabulateBulks(
  all: readonly Bulks[],
  count: number,
): Pick<Measurement, "columns" | "rows"> {
  return {
    columns: [
      ...[burstCount, shortCount, count].map((calls) => `passing ${calls}`),
      `counted ${count}`,
      `lag after ${count}`,
      `peak at ${shortCount}`,
      `peak at ${count}`,
      "not exact",
    ],
    rows: all.map(({ contestant, burst, short, long }) => ({
      contestant: contestant.name,
      figures: [
        { value: burstCount / middle(burst, "passedSeconds"), unit: "MB/s" },
        { value: shortCount / middle(short, "passedSeconds"), unit: "MB/s" },
        { value: count / middle(long, "passedSeconds"), unit: "MB/s" },
        { value: count / middle(long, "countedSeconds"), unit: "MB/s" },
        { value: middle(long, "lagSeconds"), unit: "s" },
        { value: peakMb(short), unit: "MB" },
        { value: peakMb(long), unit: "MB" },
        { value: countInexact(short, shortCount) + countInexact(long, count), unit: "" },
      ],
    })),
  };
}

function judgeBulks(meter: Bulks, gated: Bulks, count: number): readonly Verdict[] {
  const peaks = [meter, gated].flatMap(({ short, long }) => [peakMb(short), peakMb(long)]);
  const passing = burstCount / middle(meter.burst, "passedSeconds");
  const counted = count / middle(meter.long, "countedSeconds");
  return [
    atLeast(`passing ${burstCount}`, passing, passedMbMin, "MB/s"),
    atLeast("counted", counted, countedMbMin, "MB/s"),
    atMost("peak memory, open and gated", Math.max(...peaks), peakMbMax, "MB"),
    atMost("peak, longer / shorter", peakMb(meter.long) / peakMb(meter.short), growthMax, "×"),
    ...[meter, gated].map(({ contestant, short, long }) => {
      const inexact = countInexact(short, shortCount) + countInexact(long, count);
      return exactly(`${contestant.name}: answers not counted exactly`, inexact, 0);
    }),
  ];
}

function countInexact(passages: readonly Passage[], count: number): number {
  const exact = passages.map(({ records }) =>
    records === undefined ? Number.NaN : records.once - records.truncated,
  );
  return count - Math.min(...exact);
}

function comparePassages(all: readonly Passages[], what: string): readonly Comparison[] {
  const [older, newer] = [pickOptional(all, "older"), pick(all, "meter")];
  if (older === undefined) return [];
  return (["passed", "counted"] as const).map((end) => {
    const seconds = ({ samples }: Passages) => samples.map((passage) => passage[`${end}Seconds`]);
    const name = `${what}${end === "passed" ? "passing" : end}`;
    return compare({ what: name, unit: "s", older: seconds(older), newer: seconds(newer) });
  });
}

function middle(
  passages: readonly Passage[],
  field: "passedSeconds" | "countedSeconds" | "lagSeconds",
): number {
  return median(passages.map((passage) => passage[field]));
}

function peakMb(passages: readonly Passage[]): number {
  return Math.max(...passages.map((passage) => passage.peakMb));
}

async function passBurst(bench: Bench, contestant: Contestant, burst: Burst): Promise<Passage> {
  const log = makeLogPath(bench);
  const { server, calls, exchange } = burst;
  const work = async (peer: Peer): Promise<Omit<Passage, "records">> => {
    const startedMs = performance.now();
    const [passedMs, countedMs] = await Promise.all([
      exchange(peer).then(() => performance.now()),
      contestant.meters ? watchCalls(log, calls) : Number.NaN,
    ]);
    return {
      passedSeconds: (passedMs - startedMs) / 1000,
      countedSeconds: (countedMs - startedMs) / 1000,
      // A record of a gated lane may precede its answer.
      lagSeconds: Math.max(0, countedMs - passedMs) / 1000,
      peakMb: peakResidentMb(peer.pid) ?? Number.NaN,
    };
  };
  const passage = await withPeer(bench, contestant.wrap(server, log), work, lifetimeMaxMs);
  const records = contestant.meters ? await countRecords(log) : undefined;
  removeLog(log);
  return { ...passage, records };
}
