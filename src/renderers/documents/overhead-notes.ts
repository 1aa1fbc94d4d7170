import { overheadsShownMax } from "#limits/records.ts";
import { answerOverheads, type OverheadCause } from "#records/answer-overhead.ts";
import type { ToolRow } from "#records/summary.ts";
import { formatShare, plural } from "#text/numbers.ts";
import type { Note } from "../document.ts";

type Cause = { readonly name: string; readonly advice: string };

const causes: { readonly [cause in OverheadCause]: Cause } = {
  instructions: {
    name: "instructions to the model",
    advice: "move them to the tool's description or the server's instructions, which are read once",
  },
  structure: {
    name: "JSON keys and punctuation",
    advice: "return fewer fields, or rows under one header row",
  },
  user_only: {
    name: "blocks for the user alone",
    advice: "leave them out: this client shows them to the model",
  },
};

export function overheadNotes(tools: readonly ToolRow[]): readonly Note[] {
  const overheads = answerOverheads(tools);
  const omitted = overheads.length - overheadsShownMax;
  const notes = overheads
    .slice(0, overheadsShownMax)
    .map(({ tool, share, causes: found }): Note => {
      const parts = found.map((one) => `${causes[one.cause].name} ${formatShare(one.share)}`);
      const advice = found.slice(0, 1).map(({ cause }) => causes[cause].advice);
      const ratio = `${formatShare(share)} of the tokens in its answers are not data`;
      const text = `: ${ratio}: ${[parts.join(", "), ...advice].join("; ")}`;
      return { label: "not data", text: [{ name: tool }, text] };
    });
  const more = `and ${plural(omitted, "more tool")}; use --summary json to list all`;
  return omitted > 0 ? [...notes, { label: "not data", text: more }] : notes;
}
