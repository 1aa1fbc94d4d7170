import type { Advice, AdviceKind } from "#reports/advice/advice.ts";
import { formatCount, formatShare, plural } from "#text/numbers.ts";
import type { Document, Note, Section, Span, Text } from "../document.ts";
import { separated } from "./parts.ts";

/** The advice about sessions of one estimator. `period` describes the records, and counts are estimates by `mark`. */
export type AdviceBlock = {
  readonly period: Text;
  readonly mark: string;
  readonly advice: readonly Advice[];
};

/** Advice as notes: the tokens at stake, the reason, and the change. */
export function adviceDocument({ period, mark, advice }: AdviceBlock): Document {
  const title = ["mcp-meter: advice for ", period].flat();
  const none: Section = { kind: "line", text: "nothing to change was found" };
  return { title, sections: advice.length === 0 ? [none] : [notesOf(advice, mark)] };
}

function notesOf(advice: readonly Advice[], mark: string): Section {
  return { kind: "notes", notes: advice.map((one) => noteOf(one, mark)) };
}

function noteOf(advice: Advice, mark: string): Note {
  const { server, tool, tokens, per } = advice;
  const subject: readonly Span[] =
    tool === null ? [{ name: server }] : [{ name: server }, " · ", { name: tool }];
  const amount = `−${mark}${formatCount(tokens)}${per === "session" ? " a session" : ""}`;
  const label = tokens === 0 ? "unread" : amount;
  return { label, text: [...subject, ": ", ...reasonOf(advice), "; ", ...changeOf(advice)] };
}

/** The reason, as a clause about the server or its tool. */
function reasonOf(advice: Advice): readonly Span[] {
  switch (advice.kind) {
    case "unused_server":
      return [`started in ${plural(advice.sessions, "session")} and never called`];
    case "unused_tools":
      return [
        `${plural(advice.names.length, "tool")} of ${formatCount(advice.listed)} never called (`,
        ...separated(advice.names.map((name) => [{ name }])),
        ")",
      ];
    case "grown_definitions": {
      const { before_tokens: before, after_tokens: after, since } = advice;
      const day = since.slice(0, "2026-11-22".length);
      return [`definitions grew from ${formatCount(before)} to ${formatCount(after)} since ${day}`];
    }
    case "large_answers":
      return [
        `${formatCount(advice.shortened_calls)} of ${plural(advice.calls, "call")} above ${formatCount(advice.limit)} tokens`,
      ];
    case "repeated_calls":
      return [`${plural(advice.calls, "call")} repeated an earlier one of the session`];
    case "duplicate_text":
      return [`${formatShare(advice.share)} of its answers repeat structuredContent as text`];
    case "compact_json":
      return [`minified JSON would spare ${formatShare(advice.share)} of its answers`];
    case "json_structure":
      return [`${formatShare(advice.share)} of its answers are keys and punctuation of JSON`];
    case "cut_answers":
      return [`the client cut ${plural(advice.calls, "answer")} or put them into files`];
  }
}

const changes: { readonly [kind in AdviceKind]: string } = {
  unused_server: "remove it from the config of the client",
  unused_tools: "switch them off in the client, or by an option of the server",
  grown_definitions: "compare them with a lock: mcp-meter lock --check",
  large_answers: "ask for less with a parameter of the tool, or limit it",
  repeated_calls: "refuse them with --max-repeats 2",
  duplicate_text: "as its author, put a short text next to structuredContent",
  compact_json: "as its author, write JSON without spaces",
  json_structure: "as its author, return rows under one header row, or fewer fields",
  cut_answers: "ask for less with a parameter of the tool: the model read only a part",
};

/** The change, with the budget to paste where there is one and the name of the tool needs no quotes of its own. */
function changeOf(advice: Advice): readonly Span[] {
  const change = changes[advice.kind];
  if (advice.kind !== "large_answers" || advice.tool === null) return [change];
  if (!/^[\w./-]{1,64}$/.test(advice.tool)) return [change];
  return [`${change}: --budget '${advice.tool}=${advice.limit / 1000}k:truncate'`];
}
