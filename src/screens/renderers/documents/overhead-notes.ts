import { answerOverheads, type OverheadCause } from "#records/answer-overhead.ts";
import type { ShapeSum, ToolRow } from "#records/summary.ts";
import { formatCount, formatShare, plural } from "#kit/text/numbers.ts";
import type { Note } from "../document.ts";

const overheadsShownMax = 3;

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
  const notes = answerOverheads(tools).map(({ tool, share, causes: found }): Note["text"] => {
    const parts = found.map((one) => `${causes[one.cause].name} ${formatShare(one.share)}`);
    const advice = found.slice(0, 1).map(({ cause }) => causes[cause].advice);
    const ratio = `${formatShare(share)} of the tokens in its answers are not data`;
    return [{ name: tool }, `: ${ratio}: ${[parts.join(", "), ...advice].join("; ")}`];
  });
  return firstNotes("not data", notes);
}

function firstNotes(label: string, texts: readonly Note["text"][]): readonly Note[] {
  const omitted = texts.length - overheadsShownMax;
  const more = `and ${plural(omitted, "more tool")}; use --summary json to list all`;
  const shown = omitted > 0 ? [...texts.slice(0, overheadsShownMax), more] : texts;
  return shown.map((text) => ({ label, text }));
}

export function shapeNotes(tools: readonly ToolRow[]): readonly Note[] {
  const notes = tools.flatMap(({ tool, shape }): Note["text"][] => {
    const facts = shape ? shapeFacts(shape) : [];
    return facts.length === 0 ? [] : [[{ name: tool }, `: ${facts.join("; ")}`]];
  });
  return firstNotes("data shape", notes);
}

function shapeFacts(sum: ShapeSum): readonly string[] {
  const { tables, rows, truncated, cached, max_row_limit: limit, limit_reached: reached } = sum;
  const facts: string[] = [];
  // A list of one object is rarely a table.
  if (sum.max_rows > 1) {
    const size = `${plural(sum.max_rows, "row")} and ${plural(sum.max_columns, "column")}`;
    const average = `, ${plural(Math.round(rows / tables), "row")} on average`;
    facts.push(
      tables === 1
        ? `1 table of ${size}`
        : `${formatCount(tables)} tables of up to ${size}${average}`,
    );
  }
  if (truncated > 0) facts.push(`${formatCount(truncated)} truncated`);
  if (cached > 0) facts.push(`${formatCount(cached)} from a cache`);
  const filled = reached > 0 ? `; ${plural(reached, "table")} reached the limit` : "";
  if (limit > 0) facts.push(`row limits up to ${formatCount(limit)}${filled}`);
  return facts;
}
