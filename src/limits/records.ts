// Records and reports: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Records held back until client and server have introduced themselves. */
export const waitingRecordsMax = 64;

/** Bytes of records waiting for the disk; further records are dropped and counted. */
export const recordQueueBytesMax = 32 * 1024 * 1024;

/** Bytes of one write to a record file when several records wait: one turn of a busy loop adds hundreds. */
export const recordWriteBytesMax = 1024 * 1024;

/** Milliseconds between two writes of records: `kill -9` loses at most the newest of that time. */
export const recordGatherMs = 10;

/** Milliseconds from a new record to its checkpoint: a client may kill 5 ms after its last answer. */
export const checkpointDelayMs = 1;

/** Checkpoints that may follow each other at once, as those of the first calls do. */
export const checkpointBurstMax = 16;

/** Milliseconds between two checkpoints after that: each adds an `end` to the records, which is two thirds of a call. */
export const checkpointPeriodMs = 1_000;

/** The same after the client's goodbye, when a kill is expected. */
export const checkpointLeavingPeriodMs = 50;

/** Milliseconds after a checkpoint in which another one without new records would hold nothing new. */
export const checkpointRepeatMinMs = 1_000;

/** Milliseconds that counting may take before a checkpoint is written: Codex kills 5 ms after its goodbye. */
export const checkpointCountingMaxMs = 2;

/** Bytes of records that are written while traffic waits: a kernel takes them in 0.05 ms. */
export const recordWaitBytesMax = 64 * 1024;

/** Milliseconds that a write of records may take while traffic waits for it; the usual one takes 0.02. */
export const quickWriteMaxMs = 20;

/** Milliseconds that a write of records has taken when the disk is too slow to be waited for at a goodbye. */
export const slowWriteMinMs = 100;

/** Records made at once at the end that are saved together: a call's is a kilobyte. */
export const recordsSavedTogether = 200;

/** Milliseconds that records may take to reach the disk at exit. */
export const recordFlushMaxMs = 2_000;

/** Milliseconds between two checks whether a record file was rotated away. */
export const rotationCheckMs = 1_000;

/** Bytes of one record line that a report reads; our own are far shorter. */
export const recordLineBytesMax = 16 * 1024 * 1024;

/** Distinct tool rows in a ledger; further names share the row `(other)`. */
export const toolRowsMax = 1_000;

/** Servers and sessions that a report keeps apart. */
export const reportServersMax = 1_000;

/** Sessions whose estimator a report remembers: a record after that many newer sessions counts as one of none. */
export const reportSessionsMax = 100_000;

/** Estimators that a report keeps apart, several times as many as there are. */
export const reportEstimatorsMax = 50;

/** Models and days whose prices are remembered: a year of thirty models. */
export const pricedModelsMax = 10_000;

/** Whole days from which a month is projected: a week has its weekend. */
export const projectionDaysMin = 7;

/** Days of these that have records: one call long ago has no rate. */
export const projectionUsedDaysMin = 3;

/** Whole days that a month is projected from: older ones say less about the next. */
export const projectionDaysMax = 90;

/** Tokens from which a report gives advice: less is not worth a change. */
export const adviceTokensMin = 500;

/** Percent of the tokens of a tool that a limit must spare to be advised. */
export const advicePercentMin = 10;

/** Percent of all tokens from which a tool counts as one that fills contexts. */
export const adviceSharePercentMin = 25;

/** Identical calls in a row that the advised `--max-repeats` lets pass. */
export const adviceRepeatsMax = 2;

/**
 * Tokens of a refusal in a report, more than most clients show. Of a repeated call: about 31 for the text, 47 under the header of Codex, and 95 in the
 * report of Gemini CLI, which repeats the arguments (test/golden/refused.test.ts has these forms).
 */
export const refusalTokensMost = 100;

/** Sessions without a call from which a server or a tool counts as unused. */
export const adviceSessionsMin = 3;

/** Names of unused tools in one advice. */
export const adviceNamesMax = 50;

/** Calls that are replayed through budgets: two gigabytes of records; each takes 60 bytes. */
export const replayedCallsMax = 2_000_000;

/** Models without a price that a summary names. */
export const unpricedModelsMax = 20;

/** Record files that a report reads: a hundred sessions a day for years. */
export const recordFilesMax = 100_000;

/** Bytes of records that a report reads before their garbage is collected, which takes some 10 ms. */
export const readGarbageBytesMax = 16 * 1024 * 1024;

/** Folders inside each other that a report searches for record files; ours are two. */
export const folderLevelsMax = 16;

/** Calls that a report keeps apart by session, day, tool and model; about 300 bytes each. */
export const reportCellsMax = 200_000;

/** Pages of 512 sequences that a report remembers as counted; 200 bytes each. */
export const seenPagesMax = 250_000;

/** Distinct calls that a report compares for repeats; 20 bytes each, in tables of up to 2^21. */
export const repeatsTabledMax = 1_000_000;

/** Tools whose loaded definitions a report knows, over all distinct lists. */
export const deferredToolsMax = 100_000;

/** Tools of all distinct lists that a report of definitions knows; about a kilobyte each. */
export const listedToolsMax = 50_000;

/** Days of UTC whose offsets in a time zone are remembered: a record file may claim any. */
export const zoneDaysMax = 20_000;

/** Files named for the lines in them that were skipped; the rest is counted. */
export const skippedFilesNamedMax = 10;

/** Calls on each side of a trend for a change to be stated: fewer are chance. */
export const trendCallsMin = 10;

/** Days of a trend that are shown one by one, the newest ones. */
export const trendDaysMax = 31;

/** Axes of one table of a report: a third would be a list of everything. */
export const reportAxesMax = 2;

/** Tokens that compact JSON must save to be suggested: less is not worth a change to the server. */
export const jsonSavingTokensMin = 200;

/** Percentage of a tool's JSON that must be saved to be suggested. */
export const jsonSavingPercentMin = 10;

/** Tools for which compact JSON is suggested, the largest savings first. */
export const jsonSavingsShownMax = 3;

/** Tokens of a tool's answers that must not be data for a note: fewer are not worth a change to the server. */
export const overheadTokensMin = 200;

/** Percentage of a tool's answers that must be exceeded for a note: some structure is in every JSON text. */
export const overheadPercentMin = 30;

/** Tools named for tokens that are not data, the most first. */
export const overheadsShownMax = 3;

/** Tools listed as most expensive and as unused. */
export const expensiveToolsShownMax = 5;

/** Parts of calls that are followed in one context; the cost of older ones counts as everything else from then on. */
export const followedCallsMax = 5_000;

/** Prices of a cached token by which the turns of parts in the cache are counted: a conversation has few models. */
export const followedPricesMax = 8;

/** Clean steps below which validation says nothing about an estimator: fewer give a line by chance. */
export const cleanStepsMin = 30;

/** Percent of clean steps that may be framing: beyond half of them, an estimate that is twice too high would look right. */
export const framingPercentMax = 50;

/** Percent of an estimate below which a measured scale is not used: something else than the factor is wrong. */
export const calibrationPercentMin = 25;

/** The same for the largest scale; calibration.schema.json has both. */
export const calibrationPercentMax = 400;

/** Median error in percent up to which the quality of estimates is good, and fair. */
export const goodErrorPercentMax = 10;

/** Beyond it, estimates are poor. */
export const fairErrorPercentMax = 25;

/** A growth must be this many times the reasoning before it: the next prompt may hold that reasoning or not. */
export const reasoningPartMin = 10;

/** Steps of a conversation that a line is fitted through: two thousand make two million pairs, sorted in half a second. */
export const fittedPointsMax = 2_000;

/** Calls of imported histories that a report holds at once: half a million take some 200 MB. */
export const importedCallsMax = 500_000;

/** Turns of imported histories that a report holds at once. */
export const importedTurnsMax = 1_000_000;

/** Lists of tools of imported histories that a report holds at once: each has the names of one server's tools. */
export const importedListsMax = 100_000;

/** Servers of one conversation whose definitions a report follows. */
export const rentedServersMax = 200;

/** Servers that a note on the definitions in requests names, those with the most tokens first. */
export const rentsNamedMax = 3;

/** Bytes of the random id of a machine: no two of a million machines share one. */
export const machineIdBytes = 16;

/** Milliseconds that a session waits for another one that repairs the id of the machine: it writes a few bytes down to the disk. */
export const identityWaitMaxMs = 2_000;

/** Milliseconds between two looks meanwhile. */
export const identityPauseMs = 2;
