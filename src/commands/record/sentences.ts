import { exampleCommand } from "../sentences.ts";
import { pluralize, formatCount } from "#kit/text/numbers.ts";

export const recordSentences = {
  serverMissing: () =>
    `missing server; put its command after --, as in "mcp-meter record --output calls.yaml -- ${exampleCommand}"`,
  recordingCalls: (file: string) =>
    `Recording calls with their arguments in "${file}"; they may contain secrets`,
  callsRecorded: (written: number, file: string, left: number) =>
    `Recorded ${pluralize(written, "call")} in "${file}"` +
    (left === 0 ? "" : `, and left out ${formatCount(left)} that did not fit`),
  callsInexact: (calls: number) =>
    `Left out ${pluralize(calls, "call")} with a number that a calls file cannot hold exactly`,
  recordWithoutFile: () =>
    `missing file; name it with --output, as in "mcp-meter record --output calls.yaml -- ${exampleCommand}"`,
} as const;
