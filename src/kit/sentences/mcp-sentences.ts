import { counted, meant } from "../error-words.ts";

export const mcpSentences = {
  argumentsNotObject: () => `The arguments must be an object`,
  argumentUnknown: (name: string, nearest: string | undefined, known: string) =>
    `Unknown argument "${name}"${nearest === undefined ? `; known are ${known}` : meant(nearest)}`,
  argumentValue: (name: string, value: string, wanted: string) =>
    `"${name}" must be ${wanted}, not ${value}`,
  servedToolUnknown: (name: string, known: string) =>
    `Unknown tool "${name}"; the tools are ${known}`,
  questionsTooMany: (questions: number) =>
    `Cannot answer now: ${counted(questions, "other question")} are waiting; ask again later`,
  questionCancelled: () => `The client cancelled the question`,
  answerShortened: (rows: number, narrower: string) =>
    `Shortened to ${counted(rows, "row")}; narrow it with ${narrower}`,
  answerCut: (narrower: string) => `Shortened; narrow it with ${narrower}`,
  recordBytesLeftOut: (files: number, megabytes: number) =>
    `Left out ${counted(files, "record file")}: at most ${megabytes} MB are read, the newest first; choose a later "since"`,
  noRecordsYet: () =>
    `There are no records yet. Put the servers of your clients behind mcp-meter with "mcp-meter wrap", and start them again`,
  noMatch: (period: string, servers: string) =>
    `Nothing matches ${period}${servers === "" ? "" : `; servers with records in it: ${servers}`}`,
  noCounterMatches: (counters: number) =>
    `None of the ${counted(counters, "budget counter")} matches; leave out "server" and "tool" to list all`,
} as const;
