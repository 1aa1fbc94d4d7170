// Budgets: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Characters of a tool's name in a refusal: the whole text stays under 300 characters. */
export const refusalNameCharactersMax = 60;

/** Files of whole answers that one session saves. */
export const spilledFilesMax = 1_000;

/** Bytes of whole answers that one session saves; further ones are withheld. */
export const spilledBytesMax = 64 * 1024 * 1024;

/** Characters of the path of a saved answer that its model reads; systems allow four times as many. */
export const spillPathCharactersMax = 1_024;

/** Milliseconds that a throttled request waits: clients give up after 60 seconds. */
export const throttleWaitMaxMs = 50_000;

/** Requests that wait at once; further ones are refused. */
export const throttledCallsMax = 1_000;

/** Bytes of the requests that wait at once; further ones are refused. */
export const throttledBytesMax = 16 * 1024 * 1024;

/** Milliseconds by which the clock of another meter may be ahead, as of one that was stopped for an hour. */
export const clockAheadMaxMs = 3_600_000;

/** Milliseconds to wait for another meter's transaction, which takes a fraction of one: traffic waits with it. */
export const storeBusyMaxMs = 1_000;

/** Times as long that a meter waits while others write, or while it rarely gets the processor: a hundred may start on two. */
export const storeStretchMax = 8;

/**
 * Milliseconds between two attempts to begin a transaction while other meters have theirs, which take 0.1 ms. A
 * hundred that wait need the processor less than the one they wait for.
 */
export const storePauseMaxMs = 64;

/** Milliseconds between two attempts to end a transaction while others read: all meters wait for it. */
export const storeCommitPauseMaxMs = 1;

/** Milliseconds to wait for other meters when a store that failed is opened again: the traffic waits too. */
export const storeReopenBusyMaxMs = 5;

/** Milliseconds to wait at the end of a session that has used counters: its spending and its advances are settled then. */
export const storeLastBusyMaxMs = 500;

/** Attempts in `storeBusyMaxMs` before another meter's transaction counts as too long: they take 0.9 s on an idle machine. */
export const storeTriesMin = 60;

/** Milliseconds until a store that failed is opened again; each failure doubles them. */
export const storeReopenMinMs = 500;

/** Milliseconds between two attempts to open a store that failed, at most: a session may last for days. */
export const storeReopenMaxMs = 30_000;

/** Milliseconds for which a store must work before a failure counts as the first again. */
export const storeHealthyMinMs = 120_000;

/** Milliseconds for which spending that was reserved before waits to be written, and an advance is kept. */
export const storeFlushMaxMs = 10;

/** Times the amount of a call that is reserved in advance in a burst: 64 calls share a transaction. */
export const advanceCallsMax = 64;

/** Parts into which the room in a counter is divided; an advance takes one at most. */
export const advancePartsMin = 8;

/** Milliseconds for which a hold lasts unless it is renewed, where the end of its process is not noticed. */
export const holdMaxMs = 60_000;

/** Milliseconds between two renewals of holds: two may fail before they are lost. */
export const holdRenewalMs = 20_000;

/** Digits of a hash that separate servers which one program starts: 16 million values for a few servers. */
export const ownerDigits = 6;

/** Bytes of the secret of an installation: as many as the hash has. */
export const installationKeyBytes = 32;

/** Milliseconds for which a counter is kept after its last use: 40 days, more than a month. */
export const counterKeptMaxMs = 40 * 86_400_000;
