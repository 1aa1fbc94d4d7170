import { pluralize } from "#kit/text/numbers.ts";
import { lowercaseFirst } from "#kit/sentences.ts";

export const dashSentences = {
  dashServing: () => "Open this address in a browser on this machine; stop with Ctrl-C",
  dashPageMissing: () =>
    "This program does not contain the page; start the executable that bun run build creates",
  dashBrowserMissing: (program: string) =>
    `Cannot open a browser, because ${program} does not start; open the address yourself`,
  dashNotOpened: (file: string, reason: string) =>
    `Cannot open the page, because ${file} cannot be written: ${reason}; open the address yourself`,
  dashReading: (file: number, files: number) => `Reading records: file ${file} of ${files}`,
  dashCallsLeftOut: (calls: number) =>
    `Shown only in sums: ${pluralize(calls, "call")}; choose a later --since to show each call`,
  dashCountersAway: (fault: string) =>
    `The page and its /metrics are served without fresh budget counters: ${lowercaseFirst(fault)}`,
  dashCountersBack: () => "The budget counters can be read again",
  dashRequestFailed: (reason: string) => `Cannot answer a request from the page: ${reason}`,
} as const;
