// Budgets: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// The whole text of a refusal stays under 300 characters.
export const refusalNameCharactersMax = 60;

export const spilledFilesMax = 1_000;

// Further answers are withheld.
export const spilledBytesMax = 64 * 1024 * 1024;

// The model reads the path; systems allow four times as many.
export const spillPathCharactersMax = 1_024;

// Clients give up after 60 seconds.
export const throttleWaitMaxMs = 50_000;

export const throttledCallsMax = 1_000;

// Further requests are refused.
export const throttledBytesMax = 16 * 1024 * 1024;

// As when another meter was stopped for an hour.
export const clockAheadMaxMs = 3_600_000;

// A transaction takes a fraction of one: traffic waits for it.
export const storeBusyMaxMs = 1_000;

// Waits longer while others write, or while it rarely gets the processor: a hundred may start on two.
export const storeStretchMax = 8;

// Between attempts while others have transactions of 0.1 ms: waiting meters must leave them the processor.
export const storePauseMaxMs = 64;

// Between two attempts to commit while others read: all meters wait for it.
export const storeCommitPauseMaxMs = 1;

// For other meters, when a failed store is reopened: the traffic waits too.
export const storeReopenBusyMaxMs = 5;

// Spending and advances are settled at the end of a session.
export const storeLastBusyMaxMs = 500;

// Attempts before another meter's transaction counts as too long: they take 0.9 s on an idle machine.
export const storeTriesMin = 60;

// Until a failed store is reopened; each failure doubles it.
export const storeReopenMinMs = 500;

// A session may last for days.
export const storeReopenMaxMs = 30_000;

// After this time a failure counts as the first again.
export const storeHealthyMinMs = 120_000;

// Reserved spending waits this long to be written.
export const storeFlushMaxMs = 10;

// Calls reserved in advance in a burst share a transaction.
export const advanceCallsMax = 64;

// An advance takes at most this fraction of the room in a counter.
export const advancePartsMin = 8;

// Unless it is renewed, for a process whose end is not noticed.
export const holdMaxMs = 60_000;

// Two renewals may fail before a hold is lost.
export const holdRenewalMs = 20_000;

// 16 million values separate the few servers of a program.
export const ownerDigits = 6;

// As many as the hash has.
export const installationKeyBytes = 32;

// More than a month after the last use.
export const counterKeptMaxMs = 40 * 86_400_000;
