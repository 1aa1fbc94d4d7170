// MB is 10^6 bytes, "" a plain count.
type Unit = "µs" | "ms" | "s" | "MB" | "MB/s" | "/s" | "×" | "";

export type Figure = { readonly value: number; readonly unit: Unit };

export type Verdict = {
  readonly goal: string;
  readonly measured: string;
  readonly passed: boolean;
  readonly isStretch?: boolean;
};

export type Comparison = {
  readonly what: string;
  readonly older: Figure;
  readonly newer: Figure;
  readonly ratio: number;
};

export type Measurement = {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly contestant: string; readonly figures: readonly Figure[] }[];
  readonly verdicts: readonly Verdict[];
  readonly comparisons?: readonly Comparison[];
};

function formatFigure({ value, unit }: Figure): string {
  if (!Number.isFinite(value)) return "-";
  const isWhole = Number.isInteger(value) || Math.abs(value) >= 1000;
  const text = isWhole
    ? Math.round(value).toLocaleString("en-US")
    : String(Number(value.toPrecision(3)));
  return `${text} ${unit}`.trimEnd();
}

// NaN passes none of these.
export function atMost(what: string, value: number, limit: number, unit: Unit): Verdict {
  return { ...describeGoal(`${what} ≤`, value, limit, unit), passed: value <= limit };
}

export function atLeast(what: string, value: number, limit: number, unit: Unit): Verdict {
  return { ...describeGoal(`${what} ≥`, value, limit, unit), passed: value >= limit };
}

export function exactly(what: string, value: number, expected: number): Verdict {
  return { ...describeGoal(`${what} =`, value, expected, ""), passed: value === expected };
}

export function stretch(verdict: Verdict): Verdict {
  return { ...verdict, goal: `stretch: ${verdict.goal}`, isStretch: true };
}

export function isMissed({ passed, isStretch }: Verdict): boolean {
  return !passed && isStretch !== true;
}

function describeGoal(condition: string, value: number, limit: number, unit: Unit) {
  return {
    goal: `${condition} ${formatFigure({ value: limit, unit })}`,
    measured: formatFigure({ value, unit }),
  };
}

/** A newer executable may be this much slower or larger, because two runs of the same one differ by as much. */
const newerRatioMax = 1.05;

type PairedSamples = {
  readonly what: string;
  readonly unit: Unit;
  readonly older: readonly number[];
  readonly newer: readonly number[];
};

export function compare({ what, unit, older, newer }: PairedSamples): Comparison {
  if (older.length !== newer.length) {
    throw new Error(`Cannot compare ${what}: ${older.length} rounds against ${newer.length}`);
  }
  return {
    what,
    older: { value: median(older), unit },
    newer: { value: median(newer), unit },
    ratio: medianRatio(newer, older),
  };
}

export function notWorse({ what, ratio }: Comparison): Verdict {
  return atMost(`${what}, newer / older`, ratio, newerRatioMax, "×");
}

export function medianRatio(samples: readonly number[], baseline: readonly number[]): number {
  return median(samples.map((value, round) => value / (baseline[round] ?? Number.NaN)));
}

/** The median ratio over blocks: a disturbance affects both programs of a block. */
export function blockRatio<Round>(
  [rounds, baseline]: readonly [readonly Round[], readonly Round[]],
  size: number,
  figure: (block: readonly Round[]) => number,
): number {
  return medianRatio(blocks(rounds, size).map(figure), blocks(baseline, size).map(figure));
}

export function median(samples: readonly number[]): number {
  const sorted = ascending(samples);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** Nearest rank: the smallest sample that `percent` of them do not exceed; NaN without samples. */
export function percentile(samples: readonly number[], percent: number): number {
  const rank = Math.ceil((percent / 100) * samples.length);
  return ascending(samples)[Math.max(rank, 1) - 1] ?? Number.NaN;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function blocks<Sample>(samples: readonly Sample[], size: number): readonly Sample[][] {
  const starts = samples.map((_, at) => at).filter((at) => at % size === 0);
  return starts.map((at) => samples.slice(at, at + size));
}

function ascending(samples: readonly number[]): Float64Array {
  return Float64Array.from(samples).toSorted();
}

export type Series<Contestant, Sample> = {
  readonly contestant: Contestant;
  readonly samples: readonly Sample[];
};

/** Runs every contestant once per round, and equally often after each of the others. */
export async function interleave<Contestant, Sample>(
  contestants: readonly Contestant[],
  rounds: number,
  run: (contestant: Contestant, round: number) => Sample | Promise<Sample>,
): Promise<readonly Series<Contestant, Sample>[]> {
  const series = contestants.map((contestant) => ({ contestant, samples: new Array<Sample>() }));
  for (let round = 0; round < rounds; round++) {
    for (const { contestant, samples } of orderForRound(round, series)) {
      samples.push(await run(contestant, round));
    }
  }
  return series;
}

/** A row of a square in which every pair of neighbours is equally frequent (Williams, 1949). */
function orderForRound<T>(round: number, items: readonly T[]): readonly T[] {
  const { length } = items;
  const row = items.flatMap((_, step) => {
    // 0, 1, −1, 2, −2 …
    const offset = step % 2 === 0 ? -step / 2 : (step + 1) / 2;
    return items.slice((((offset + round) % length) + length) % length).slice(0, 1);
  });
  return Math.floor(round / length) % 2 === 0 ? row : row.toReversed();
}

export function renderMeasurement(measurement: Measurement): string {
  const { caption, columns, rows, comparisons = [], verdicts } = measurement;
  const figures = rows.map((row) => [row.contestant, ...row.figures.map(formatFigure)]);
  return [
    caption,
    renderTable([["", ...columns], ...figures]),
    renderTable([["", "older", "newer", "ratio"], ...comparisons.map(comparisonCells)]),
    renderVerdicts(verdicts),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

export function renderTable(rows: readonly (readonly string[])[]): string {
  const [heading, ...body] = rows;
  if (heading === undefined || body.length === 0) return "";
  const widths = heading.map((_, column) =>
    Math.max(3, ...rows.map((row) => readCell(row, column).length)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [heading, rule, ...body].map((row) => renderRow(row, widths)).join("\n");
}

function renderRow(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => readCell(row, column).padEnd(width));
  return `| ${cells.join(" | ")} |`;
}

function readCell(row: readonly string[], column: number): string {
  return (row[column] ?? "").replaceAll("|", String.raw`\|`);
}

function comparisonCells({ what, older, newer, ratio }: Comparison): string[] {
  const figures = [older, newer, { value: ratio, unit: "×" } as const];
  return [what, ...figures.map(formatFigure)];
}

function renderVerdicts(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return "";
  const missed = verdicts.filter(({ passed }) => !passed).map(describeMiss);
  const met = `Goals met: ${verdicts.length - missed.length} of ${verdicts.length}.`;
  return missed.length === 0 ? met : `${met} **Missed**: ${missed.join("; ")}.`;
}

function describeMiss({ goal, measured }: Verdict): string {
  return `${goal} (${measured})`;
}

export function replaceFigures(document: string, load: string, figures: string): string {
  const opening = `<!-- figures: ${load} -->`;
  const start = document.indexOf(opening);
  const end = document.indexOf(`<!-- end: ${load} -->`);
  if (start < 0 || end < start) {
    throw new Error(`Cannot write the figures of "${load}": the document has no "${opening}"`);
  }
  const before = document.slice(0, start + opening.length);
  return `${before}\n\n${figures}\n\n${document.slice(end)}`;
}
