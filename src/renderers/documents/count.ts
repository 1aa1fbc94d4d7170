import type { Estimation } from "#cost/estimation.ts";
import { formatCount, plural } from "#text/numbers.ts";
import { countedBy, type MakerEstimation } from "./confidence.ts";
import type { Document, Row } from "../document.ts";
import { tokenFormat } from "./token-format.ts";

/** Tokens of one file. */
export type CountedInput = {
  /** As the user named it; `-` is stdin. */
  readonly file: string;
  readonly tokens: number;
  readonly bytes: number;
  /** False when bytes that are not UTF-8 were counted as U+FFFD. */
  readonly is_utf8: boolean;
  /** True for a list of tools that was priced as definitions, as in a profile. */
  readonly is_definitions: boolean;
};

/** Files that were counted by one estimator. */
export type Counted = {
  readonly inputs: readonly CountedInput[];
  readonly total: number;
  readonly estimation: Estimation | MakerEstimation;
};

/** A row per file and their total. */
export function countDocument({ inputs, total, estimation }: Counted): Document {
  const isEstimated = estimation.confidence !== "high";
  const { count } = tokenFormat(isEstimated);
  const row = (file: string, tokens: number, bytes: number): Row => [
    file,
    count(tokens),
    formatCount(bytes),
  ];
  const totalBytes = inputs.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    title: plural(inputs.length, "file"),
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "file" },
          { head: "tokens", isNumber: true },
          { head: "bytes", isNumber: true },
        ],
        rows: [
          ...inputs.map(({ file, tokens, bytes }) => row(file, tokens, bytes)),
          row("total", total, totalBytes),
        ],
      },
      { kind: "notes", notes: [countedBy(estimation, isEstimated)] },
    ],
  };
}
