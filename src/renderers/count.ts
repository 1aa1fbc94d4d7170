import type { Estimation } from "#cost/estimation.ts";
import { safeJson } from "#text/unsafe-text.ts";
import { confidenceDots } from "./confidence.ts";
import { documentAsTable, type Document } from "./document.ts";
import type { RenderOptions } from "./options.ts";
import { plural, shownCount } from "./text.ts";

/** One file that was counted. */
export type CountedInput = {
  /** As it was named; `-` is stdin. */
  readonly file: string;
  readonly tokens: number;
  readonly bytes: number;
  /** False when some bytes were counted as the character that replaces them. */
  readonly is_utf8: boolean;
};

/** Files that were counted in one way. */
export type Counted = {
  readonly inputs: readonly CountedInput[];
  readonly total: number;
  readonly estimation: Estimation;
};

/** The number alone for one input, a table for several, or JSON: text that ends with a newline. */
export function renderCount(counted: Counted, isJson: boolean, options: RenderOptions): string {
  if (isJson) return `${safeJson(asJson(counted), 2)}\n`;
  if (counted.inputs.length === 1) return `${counted.total}\n`;
  return documentAsTable(asDocument(counted), options);
}

function asJson({ inputs, total, estimation }: Counted): object {
  const { id, method, encoding, confidence, error } = estimation;
  const how = { estimator: id, method, encoding, confidence };
  return { inputs, total, ...how, is_estimated: confidence !== "high", error };
}

function asDocument({ inputs, total, estimation }: Counted): Document {
  const { id, confidence, error } = estimation;
  const mark = confidence === "high" ? "" : "~";
  const row = (file: string, tokens: number, bytes: number): string[] => [
    file,
    `${mark}${shownCount(tokens)}`,
    shownCount(bytes),
  ];
  const bytes = inputs.reduce((sum, input) => sum + input.bytes, 0);
  const hint = mark === "" ? "" : `; ${mark} marks estimates`;
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
          ...inputs.map((input) => row(input.file, input.tokens, input.bytes)),
          row("total", total, bytes),
        ],
      },
      {
        kind: "notes",
        notes: [["counted by", `${id} ${confidenceDots[confidence]} ${error}${hint}`]],
      },
    ],
  };
}
