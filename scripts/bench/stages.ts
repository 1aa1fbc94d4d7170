/** The cost of judging a small call, stage by stage: warm, in this process, without pipes. */
import type { Bench } from "./bench.ts";
import type { Figure, Measurement } from "./measurement.ts";
import { judging, type Stage, stages } from "./stages/stages.ts";
import { chunksOf, type TrafficShape } from "./stages/traffic.ts";
import { atMost } from "./verdict.ts";

/** Rounds of which the shortest counts: other programs only lengthen one. */
const rounds = 16;
const quickRounds = 6;

const judgingUsMax = 10;

const calls = 3_000;
const [short, long] = [150, 2_000];

const shapes: readonly TrafficShape[] = [
  { name: "150 B", calls, answerBytes: short, isRepeated: false },
  { name: "150 B, repeated", calls, answerBytes: short, isRepeated: true },
  { name: "2 kB", calls, answerBytes: long, isRepeated: false },
  { name: "2 kB, repeated", calls, answerBytes: long, isRepeated: true },
];

export function benchStages({ quick }: Pick<Bench, "quick">): Promise<Measurement> {
  const repeats = quick ? quickRounds : rounds;
  const rows = stages.map((stage) => ({
    contestant: stage.name,
    figures: shapes.map((shape) => perCall(stage, shape, repeats)),
  }));
  const judged = rows.find(({ contestant }) => contestant === judging)?.figures[0];
  return Promise.resolve({
    load: "stages",
    caption: `Microseconds per call by the size of its answer; the shortest of ${repeats} rounds of ${calls.toLocaleString("en-US")} calls each.`,
    columns: shapes.map(({ name }) => name),
    rows,
    verdicts: [atMost(`${judging}, 150 B`, judged?.value ?? Number.NaN, judgingUsMax, "µs")],
  });
}

function perCall({ prepare }: Stage, shape: TrafficShape, repeats: number): Figure {
  const chunks = chunksOf(shape);
  const times = Array.from({ length: repeats }, () => {
    const act = prepare(chunks);
    Bun.gc(true);
    const beganMs = performance.now();
    act();
    return performance.now() - beganMs;
  });
  return { value: (Math.min(...times) * 1_000) / shape.calls, unit: "µs" };
}
