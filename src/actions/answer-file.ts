import type { Excess } from "#budgets/action.ts";
import { answerPieces } from "./answer-pieces.ts";

/** An answer as a file that a model can search and read in parts. */
export type AnswerFile = { readonly text: string; readonly extension: "txt" | "json" };

/**
 * The parts of an answer that its client shows, one below the other: texts unchanged, `structuredContent` and blocks
 * without text as JSON over several lines.
 */
export function answerFile(excess: Excess): AnswerFile {
  const { texts, others } = answerPieces(excess);
  const parts = [
    ...texts.map(({ text, json }) => (json === undefined ? text : indented(json))),
    ...others.map(({ raw }) => indented(raw)),
  ];
  const isJson = parts.length === 1 && texts[0]?.text !== parts[0];
  return { text: parts.join("\n"), extension: isJson ? "json" : "txt" };
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
