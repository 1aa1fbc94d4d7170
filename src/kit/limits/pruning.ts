// Removing old records: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Younger files are never removed: a meter may not have locked its file yet.
export const pruneAgeMinMs = 3_600_000;

// Each batch writes the totals twice.
export const pruneBatchMax = 200;

// A second of work.
export const automaticFilesMax = 1_000;

export const automaticPruneMs = 20 * 3_600_000;

// Years of a busy user, some twenty megabytes.
export const totalRowsMax = 200_000;

export const totalsBytesMax = 128 * 1024 * 1024;

// While records are being removed, which takes seconds at most.
export const totalsReadsMax = 3;
