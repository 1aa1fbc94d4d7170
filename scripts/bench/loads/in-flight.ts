/** How much longer thousands of calls at once take when their counter is shared by all meters of the machine. */
import type { Bench } from "../bench.ts";
import { type Contestant, fixture } from "../contestants.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { callAnswerLine, callLine, joinLines } from "../messages.ts";
import { withPeer } from "../peer.ts";
import { countRecords } from "../records.ts";
import { dropLog, newLog } from "../scratch-log.ts";
import { median, sum } from "../statistics.ts";
import { atMost, exactly } from "../verdict.ts";

const callCount = 4_000;
const ratioMax = 1.2;

type Run = { readonly seconds: number; readonly calls: number };

export async function benchInFlight(bench: Bench): Promise<Measurement> {
  const rounds = bench.quick ? 5 : 21;
  const requests = joinLines(callLine, 1, callCount + 1);
  const answers = joinLines((id) => callAnswerLine(callCount + 1 - id), 1, callCount + 1);
  const contestants = ["session", "day"].map((per) => budgeted(bench, per));
  const series = await interleave(contestants, rounds, (contestant) =>
    openThenAnswer(bench, contestant, { requests, answers }),
  );
  const [session = [], day = []] = series.map(({ samples }) => samples.map((run) => run.seconds));
  const ratio = median(day.map((seconds, round) => seconds / (session[round] ?? Number.NaN)));
  const calls = sum(series.flatMap(({ samples }) => samples.map((run) => run.calls)));
  return {
    load: "in-flight",
    caption: `${callCount.toLocaleString("en-US")} calls at once under a budget, ${rounds} rounds each, interleaved; every answer compared.`,
    columns: ["median", "slowest"],
    rows: [session, day].map((seconds, index) => ({
      contestant: contestants[index]?.name ?? "",
      figures: [
        { value: median(seconds), unit: "s" },
        { value: Math.max(...seconds), unit: "s" },
      ],
    })),
    verdicts: [
      atMost("median of day / session", ratio, ratioMax, "×"),
      exactly("call records of all rounds", calls, callCount * rounds * contestants.length),
    ],
  };
}

/** With a budget that all calls fit, so that each one is reserved, spent and corrected. */
function budgeted(bench: Bench, per: string): Contestant {
  return {
    role: "gated",
    name: `a ${per} budget`,
    meters: true,
    wrap: (server, log) => [bench.meter, "--log", log, "--budget", `1000M/${per}`, "--", ...server],
  };
}

/** From the first call sent to the last answer read. */
async function openThenAnswer(
  bench: Bench,
  contestant: Contestant,
  { requests, answers }: { readonly requests: Buffer; readonly answers: Buffer },
): Promise<Run> {
  const log = newLog(bench);
  const command = contestant.wrap(fixture("reversing", callCount), log);
  const seconds = await withPeer(bench, command, async (peer) => {
    await peer.line();
    const startedMs = performance.now();
    await Promise.all([peer.send(requests), peer.expect(answers)]);
    return (performance.now() - startedMs) / 1000;
  });
  const { calls } = await countRecords(log);
  dropLog(log);
  return { seconds, calls };
}
