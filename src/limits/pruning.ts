// Removing old records: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Milliseconds since its last change for which a file is never removed: its meter may not have locked it yet. */
export const pruneAgeMinMs = 3_600_000;

/** Record files whose totals are added and that are removed together: each batch writes the totals twice. */
export const pruneBatchMax = 200;

/** Files that are removed without a question: a second of work. */
export const automaticFilesMax = 1_000;

/** Milliseconds between two such removals. */
export const automaticPruneMs = 20 * 3_600_000;

/** Rows of the totals: years of a busy user, some twenty megabytes. */
export const totalRowsMax = 200_000;

/** Bytes of the file with the totals. */
export const totalsBytesMax = 128 * 1024 * 1024;

/** Times that a report reads records that are being removed at the same time: each takes seconds at most. */
export const totalsReadsMax = 3;
