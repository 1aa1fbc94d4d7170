/** How many messages a second pass when a client does not wait for answers, and whether all come in order. */
import type { Bench } from "../bench.ts";
import { comparedOf, type Contestant, contestantsOf, fixture } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { callAnswerLine, callLine, joinLines } from "../messages.ts";
import { withPeer } from "../peer.ts";
import { peakResidentMb } from "../procfs.ts";
import { countRecords, type RecordCount } from "../records.ts";
import { dropLog, newLog } from "../scratch-log.ts";
import { median } from "../statistics.ts";
import { atLeast, exactly } from "../verdict.ts";

const CALLS = 150_000;
/** The call and its answer. */
const MESSAGES_PER_CALL = 2;
const MESSAGES_PER_SECOND_MIN = 100_000;

interface Run {
  readonly seconds: number;
  readonly peakMb: number;
  readonly records: RecordCount | undefined;
}

interface Throughput {
  readonly contestant: Contestant;
  readonly callsPerSecond: number;
  readonly peakMb: number;
  /** Call records of each session that was metered. */
  readonly recorded: readonly number[];
}

export async function benchPipelined(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 1 : 5;
  const requests = joinLines(callLine, 1, CALLS + 1);
  const answers = joinLines(callAnswerLine, 1, CALLS + 1);
  const series = await interleave(contestantsOf(bench), rounds, (contestant) =>
    pipeline(bench, contestant, requests, answers),
  );
  return measurementOf(
    series.map(({ contestant, samples }) => ({
      contestant,
      callsPerSecond: CALLS / median(samples.map((run) => run.seconds)),
      peakMb: Math.max(...samples.map((run) => run.peakMb)),
      recorded: samples.flatMap(({ records }) => (records ? [records.calls] : [])),
    })),
    rounds,
  );
}

/** Every byte of every answer is compared, so order and completeness are part of the measurement. */
async function pipeline(
  bench: Bench,
  contestant: Contestant,
  requests: Buffer,
  answers: Buffer,
): Promise<Run> {
  const log = newLog(bench);
  const run = await withPeer(bench, contestant.wrap(fixture("answering"), log), async (peer) => {
    await peer.handshake();
    const startedMs = performance.now();
    await Promise.all([peer.send(requests), peer.expect(answers)]);
    const seconds = (performance.now() - startedMs) / 1000;
    return { seconds, peakMb: peakResidentMb(peer.pid) ?? Number.NaN };
  });
  const records = contestant.meters ? await countRecords(log) : undefined;
  dropLog(log);
  return { ...run, records };
}

function measurementOf(runs: readonly Throughput[], rounds: number): Measurement {
  const { direct, meter } = comparedOf(runs);
  return {
    load: "pipelined",
    caption: `${CALLS.toLocaleString("en-US")} calls at once, ${rounds} rounds each, interleaved; every answer compared; medians.`,
    columns: ["calls", "messages", "of bare", "peak memory"],
    rows: runs.map(({ contestant, callsPerSecond, peakMb }) => ({
      contestant: contestant.name,
      figures: [
        { value: callsPerSecond, unit: "/s" },
        { value: MESSAGES_PER_CALL * callsPerSecond, unit: "/s" },
        { value: callsPerSecond / direct.callsPerSecond, unit: "×" },
        { value: peakMb, unit: "MB" },
      ],
    })),
    verdicts: [
      atLeast("messages", MESSAGES_PER_CALL * meter.callsPerSecond, MESSAGES_PER_SECOND_MIN, "/s"),
      exactly("fewest call records of a session", Math.min(...meter.recorded), CALLS),
      exactly("most call records of a session", Math.max(...meter.recorded), CALLS),
    ],
  };
}
