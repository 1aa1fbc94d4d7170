import { lockCreationHint } from "../sentences.ts";
import { pluralize, formatCount } from "#kit/text/numbers.ts";

export const lockSentences = {
  lockConflicted: (file: string) =>
    `Cannot read the lock "${file}": it has git conflict markers; resolve them, or write it again with "mcp-meter lock --force"`,
  lockDeleted: (file: string, base: string) =>
    `Cannot find the lock "${file}", which "${base}" has; restore it, or ${lockCreationHint}`,
  lockWritten: (file: string, tools: number, report: string) =>
    `Wrote the lock "${file}" with ${pluralize(tools, "tool")}; the report is in "${report}"`,
  answersDropped: (answers: number, file: string) =>
    `Dropped ${pluralize(answers, "recorded answer")} from the lock "${file}"; "mcp-meter check --calls FILE --update" records answers again`,
  toolsListedTwice: (tools: number, first: string) =>
    (tools === 1
      ? `The server lists the tool "${first}" more than once`
      : `The server lists ${formatCount(tools)} tools more than once; the first is "${first}"`) +
    "; a client may call either one, and a check fails",
  schemasRejected: (tools: number, first: string) =>
    `The input ${tools === 1 ? `schema of the tool "${first}" is` : `schemas of ${formatCount(tools)} tools are`} not of type "object"` +
    (tools === 1 ? "" : `; the first belongs to "${first}"`) +
    "; clients reject the whole list, and a check fails",
  listsRejected: (faults: number, first: string) =>
    `${first.charAt(0).toUpperCase()}${first.slice(1)}` +
    (faults === 1 ? "" : `; ${formatCount(faults)} faults in all`) +
    "; a check fails",
} as const;
