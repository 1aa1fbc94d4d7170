import type { Excess } from "../budgets/action.ts";
import { answerPieces } from "./answer-pieces.ts";

export type AnswerFile = { readonly text: string; readonly extension: "txt" | "json" };

/** Texts unchanged, `structuredContent` and blocks without text as JSON over several lines. */
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
