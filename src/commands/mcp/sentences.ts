import { formatQuantity } from "#kit/errors.ts";

export const mcpSentences = {
  questionsTooMany: (questions: number) =>
    `Cannot answer now: ${formatQuantity(questions, "other question")} are waiting; ask again later`,
  questionCancelled: () => `The client cancelled the question`,
  answerShortened: (rows: number, narrower: string) =>
    `Shortened to ${formatQuantity(rows, "row")}; narrow it with ${narrower}`,
  answerCut: (narrower: string) => `Shortened; narrow it with ${narrower}`,
  recordBytesLeftOut: (files: number, megabytes: number) =>
    `Left out ${formatQuantity(files, "record file")}: at most ${megabytes} MB are read, the newest first; choose a later "since"`,
  noRecordsYet: () =>
    `There are no records yet. Put the servers of your clients behind mcp-meter with "mcp-meter wrap", and restart them`,
  noCounterMatches: (counters: number) =>
    `None of the ${formatQuantity(counters, "budget counter")} matches; leave out "server" and "tool" to list all`,
} as const;
