import { formatQuantity } from "#kit/errors.ts";

export const dashViewSentences = {
  dashLockUnused: (file: string, server: string | null) =>
    `The lock "${file}" is not compared: the period has no server ${server === null ? "of its name" : `"${server}"`}; name one by --lock SERVER=FILE`,
  dashTrendShorter: (days: number) =>
    `There are records for ${formatQuantity(days, "day")} and as many before; start with --since 60d for a longer comparison`,
} as const;
