import { counted, inSentence, inWords } from "../error-words.ts";

export const dashSentences = {
  dashServing: () => "Open this address in a browser on this machine; Ctrl-C ends the page",
  dashPortTaken: (port: number, reason: string) =>
    `Cannot serve the page on port ${port}: ${inWords(reason)}; choose another --port, or leave it out for a free one`,
  dashPageMissing: () =>
    "The page is not built into this program; start the executable that bun run build makes",
  dashBrowserMissing: (program: string) =>
    `Cannot open a browser, because ${program} does not start; open the address yourself`,
  dashNotOpened: (file: string, reason: string) =>
    `Cannot open the page, because ${file} cannot be written: ${reason}; open the address yourself`,
  dashReading: (file: number, files: number) => `Reading records: file ${file} of ${files}`,
  dashLockUnused: (file: string, server: string | null) =>
    `The lock "${file}" is not compared: the period has no server ${server === null ? "of its name" : `"${server}"`}; name one by --lock SERVER=FILE`,
  dashCallsLeftOut: (calls: number) =>
    `Shown in sums alone: ${counted(calls, "call")}; a later --since has room for each`,
  dashTrendShorter: (days: number) =>
    `There are records for ${counted(days, "day")} and as many before; start with --since 60d for a longer comparison`,
  dashChoiceUnknown: () => "This address does not name a screen of the page",
  dashHostForbidden: () => "This host name is not the page's own",
  dashOriginForbidden: () => "Another page sent this request",
  dashTokenMissing: () =>
    "Open the address that mcp-meter dash printed: it has the key to this page",
  dashMethodForbidden: () => "The page is read only",
  dashAddressTooLong: () => "This address is too long",
  dashPathUnknown: () => "There is nothing at this path",
  dashCountersAway: (fault: string) =>
    `The page and its /metrics are served without fresh budget counters: ${inSentence(fault)}`,
  dashCountersBack: () => "The budget counters can be read again",
  dashFailed: () => "The page failed; the terminal of mcp-meter dash has the reason",
  dashRequestFailed: (reason: string) => `Cannot answer a request of the page: ${reason}`,
  dashBusy: () => "Too many pages are open; close one",
} as const;
