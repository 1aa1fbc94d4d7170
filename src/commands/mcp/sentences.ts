import { pluralize } from "#kit/text/numbers.ts";

export const mcpSentences = {
  questionsTooMany: (questions: number) =>
    `Cannot answer now: ${pluralize(questions, "other question")} are waiting; ask again later`,
  questionCancelled: () => `The client cancelled the question`,
  answerShortened: (rows: number, narrower: string) =>
    `Shortened to ${pluralize(rows, "row")}; narrow it with ${narrower}`,
  answerCut: (narrower: string) => `Shortened; narrow it with ${narrower}`,
  recordBytesLeftOut: (files: number, megabytes: number) =>
    `Left out ${pluralize(files, "record file")}: at most ${megabytes} MB are read, the newest first; choose a later "since"`,
  noRecordsYet: () =>
    `There are no records yet. Put the servers of your clients behind mcp-meter with "mcp-meter wrap", and restart them`,
  noCounterMatches: (counters: number) =>
    `None of the ${pluralize(counters, "budget counter")} matches; leave out "server" and "tool" to list all`,
} as const;
