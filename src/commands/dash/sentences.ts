import { pluralize } from "#kit/text/numbers.ts";
import { lowercaseFirst } from "#kit/sentences.ts";

export const dashSentences = {
  dashServing: () => "Open this address in a browser on this machine; stop with Ctrl-C",
  dashPageMissing: () =>
    "This program does not contain the page; start the executable that bun run build creates",
  dashBrowserMissing: (program: string) =>
    `Cannot open a browser: ${program} does not start; open the address yourself`,
  dashNotOpened: (file: string, reason: string) =>
    `Cannot write ${file}, which opens the page: ${reason}; open the address yourself`,
  dashReading: (file: number, files: number) => `Reading records: file ${file} of ${files}`,
  dashCallsLeftOut: (calls: number) =>
    `Shown only in sums: ${pluralize(calls, "call")}; choose a later --since to show each call`,
  dashCountersUnreadable: (fault: string) =>
    `The page and its /metrics are served without fresh budget counters: ${lowercaseFirst(fault)}`,
  dashCountersReadable: () => "The budget counters can be read again",
  dashRequestFailed: (reason: string) => `Cannot answer a request from the page: ${reason}`,
} as const;
