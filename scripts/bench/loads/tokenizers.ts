/** The byte-pair tokenizer beside the JavaScript ones: the main figures; `tokenizers.ts` prints all of them. */
import type { Figure, Measurement } from "../measurement.ts";
import { judgeTokenizers } from "../tokenizers/goals.ts";
import { coldSpeed } from "../tokenizers/speed.ts";
import type { TokenizerRow } from "../tokenizers.ts";

export async function benchTokenizersLoad(): Promise<Measurement> {
  const { benchTokenizers } = await import("../tokenizers.ts");
  const rows = await benchTokenizers();
  const texts = [...(rows[0]?.speeds.keys() ?? [])];
  return {
    load: "tokenizers",
    caption:
      "Megabytes per second of text that was never counted before, and the cost to a process.",
    columns: [...texts, "first count", "memory added"],
    rows: rows.map((row) => ({ contestant: row.peer, figures: rowFigures(row, texts) })),
    verdicts: judgeTokenizers(rows),
  };
}

function rowFigures(row: TokenizerRow, texts: readonly string[]): Figure[] {
  return [
    ...texts.map((text) => cold(row, text)),
    { value: row.footprint.firstCountMs, unit: "ms" },
    { value: row.footprint.usedMb, unit: "MB" },
  ];
}

function cold(row: TokenizerRow, text: string): Figure {
  return { value: coldSpeed(row.speeds.get(text)), unit: "MB/s" };
}
