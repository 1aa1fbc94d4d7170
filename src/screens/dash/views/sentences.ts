import { pluralize } from "#kit/text/numbers.ts";

export const dashViewSentences = {
  dashLockUnused: (file: string, server: string | null) =>
    `The lock "${file}" is not compared: this period has no records of a server ${server === null ? "with its name" : `"${server}"`}; name the server with --lock SERVER=FILE`,
  dashTrendShorter: (days: number) =>
    `There are records for ${pluralize(days, "day")} and the same number before; start dash with --since 60d for a longer comparison`,
} as const;
