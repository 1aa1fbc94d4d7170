/** The byte-pair tokenizer beside those JavaScript has: the table's heart, the rest by its own command. */
import type { Figure, Measurement } from "../measurement.ts";
import { judge } from "../tokenizers/goals.ts";
import type { TokenizerRow } from "../tokenizers.ts";

export async function benchTokenizersLoad(): Promise<Measurement> {
  const { benchTokenizers } = await import("../tokenizers.ts");
  const rows = await benchTokenizers();
  const texts = [...(rows[0]?.speeds.keys() ?? [])];
  return {
    load: "tokenizers",
    caption: "Megabytes a second of text that was never counted before, and what a process pays.",
    columns: [...texts, "first count", "memory added"],
    rows: rows.map((row) => ({ contestant: row.peer, figures: figuresOf(row, texts) })),
    verdicts: judge(rows).map(({ goal, seen, isMet }) => ({ goal, seen, passed: isMet })),
  };
}

function figuresOf(row: TokenizerRow, texts: readonly string[]): Figure[] {
  return [
    ...texts.map((text) => cold(row, text)),
    { value: row.footprint.firstCountMs, unit: "ms" },
    { value: row.footprint.usedMb, unit: "MB" },
  ];
}

function cold(row: TokenizerRow, text: string): Figure {
  return { value: row.speeds.get(text)?.cold ?? Number.NaN, unit: "MB/s" };
}
