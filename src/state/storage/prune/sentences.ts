import { describeReason } from "#kit/sentences.ts";

export const pruneSentences = {
  totalsUnreadable: (file: string, fault: string) =>
    `Cannot read the totals "${file}": ${describeReason(fault)}; move the file away to start new totals`,
  totalsUnwritable: (file: string, reason: string) =>
    `Cannot write "${file}": ${describeReason(reason)}; nothing was removed`,
  totalsFull: (file: string) =>
    `Cannot add to the totals "${file}": they have too many rows; move the file away to start new totals`,
  pruneBusy: (file: string) =>
    `Cannot remove files: another process is removing some, or "${file}" cannot be locked`,
} as const;
