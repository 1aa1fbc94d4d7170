import type { Estimation } from "#tokens/cost/estimator.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
import type { Document, Row } from "../document.ts";
import { makeEstimatorNote, type MakerEstimation } from "./estimator-notes.ts";
import { makeTokenFormat } from "../token-ranges.ts";

export type CountedInput = {
  readonly file: string;
  readonly tokens: number;
  readonly bytes: number;
  readonly is_utf8: boolean;
  readonly is_definitions: boolean;
};

export type CountResult = {
  readonly inputs: readonly CountedInput[];
  readonly total: number;
  readonly estimation: Estimation | MakerEstimation;
};

export function buildCountDocument({ inputs, total, estimation }: CountResult): Document {
  const isEstimated = estimation.confidence !== "high";
  const { count } = makeTokenFormat(isEstimated);
  const formatRow = (file: string, tokens: number, bytes: number): Row => [
    { name: file, columnsMax: Infinity },
    count(tokens),
    formatCount(bytes),
  ];
  const totalBytes = inputs.reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    title: pluralize(inputs.length, "file"),
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "file" },
          { head: "tokens", isNumber: true },
          { head: "bytes", isNumber: true },
        ],
        rows: [
          ...inputs.map(({ file, tokens, bytes }) => formatRow(file, tokens, bytes)),
          formatRow("total", total, totalBytes),
        ],
      },
      { kind: "notes", notes: [makeEstimatorNote({ ...estimation, is_estimated: isEstimated })] },
    ],
  };
}
