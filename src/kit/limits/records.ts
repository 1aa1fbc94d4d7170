// Records and reports: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Held until client and server have introduced themselves.
export const waitingRecordsMax = 64;

// Further records are dropped and counted.
export const recordQueueBytesMax = 32 * 1024 * 1024;

// One turn of a busy loop adds hundreds of records.
export const recordWriteBytesMax = 1024 * 1024;

// `kill -9` loses at most the records of that time.
export const recordGatherMs = 10;

// A client may kill 5 ms after its last answer.
export const checkpointDelayMs = 1;

// As after each of the first calls.
export const checkpointBurstMax = 16;

// Each checkpoint adds an `end` to the records, which is two thirds of a call.
export const checkpointPeriodMs = 1_000;

// After the client's goodbye, when a kill is expected.
export const checkpointLeavingPeriodMs = 50;

// Without new records, another checkpoint would hold nothing new.
export const checkpointRepeatMinMs = 1_000;

// Codex kills 5 ms after its goodbye.
export const checkpointCountingMaxMs = 2;

// Written while traffic waits: a kernel takes them in 0.05 ms.
export const recordWaitBytesMax = 64 * 1024;

// The usual write takes 0.02 ms while traffic waits for it.
export const quickWriteMaxMs = 20;

// The disk is then too slow to be waited for at a goodbye.
export const slowWriteMinMs = 100;

// A call's record is a kilobyte.
export const recordsSavedTogether = 200;

export const recordFlushMaxMs = 2_000;
export const rotationCheckMs = 1_000;

// Our lines are far shorter.
export const recordLineBytesMax = 16 * 1024 * 1024;

// Further names share the row `(other)`.
export const toolRowsMax = 1_000;

export const reportServersMax = 1_000;

// After that many newer sessions, a record counts as one without a session.
export const reportSessionsMax = 100_000;

// Several times as many as there are.
export const reportEstimatorsMax = 50;

// A year of thirty models.
export const pricedModelsMax = 10_000;

// A week has its weekend.
export const projectionDaysMin = 7;

// Days with records: one call long ago has no rate.
export const projectionUsedDaysMin = 3;

// Older days say less about the next month.
export const projectionDaysMax = 90;

// Less is not worth a change.
export const adviceTokensMin = 500;

export const advicePercentMin = 10;
export const adviceSharePercentMin = 25;
export const adviceRepeatsMax = 2;

// More than most clients show: Gemini CLI repeats the arguments, 95 in all (test/golden/refused.test.ts).
export const refusalTokensMost = 100;

export const adviceSessionsMin = 3;
export const adviceNamesMax = 50;

// Two gigabytes of records; each call takes 60 bytes.
export const replayedCallsMax = 2_000_000;

export const unpricedModelsMax = 20;

// A hundred sessions a day for years.
export const recordFilesMax = 100_000;

// Collecting takes some 10 ms.
export const readGarbageBytesMax = 16 * 1024 * 1024;

// Our folders have two levels.
export const folderLevelsMax = 16;

// By session, day, tool and model; about 300 bytes each.
export const reportCellsMax = 200_000;

// Pages of 512 sequences, 200 bytes each.
export const seenPagesMax = 250_000;

// 20 bytes each, in tables of up to 2^21.
export const repeatsTabledMax = 1_000_000;

export const deferredToolsMax = 100_000;

// About a kilobyte each.
export const listedToolsMax = 50_000;

// A record file may claim any day.
export const zoneDaysMax = 20_000;

export const skippedFilesNamedMax = 10;

// Fewer calls on a side of a trend are chance.
export const trendCallsMin = 10;

export const trendDaysMax = 31;

// A third axis would list everything.
export const reportAxesMax = 2;

// Less is not worth a change to the server.
export const jsonSavingTokensMin = 200;

export const jsonSavingPercentMin = 10;
export const jsonSavingsShownMax = 3;

// Fewer are not worth a change to the server.
export const overheadTokensMin = 200;

// Some structure is in every JSON text.
export const overheadPercentMin = 30;

export const overheadsShownMax = 3;
export const expensiveToolsShownMax = 5;

// The cost of older parts counts as everything else.
export const followedCallsMax = 5_000;

// A conversation has few models.
export const followedPricesMax = 8;

// Fewer clean steps give a line by chance.
export const cleanStepsMin = 30;

// Beyond half of a step, an estimate that is twice too high would look right.
export const framingPercentMax = 50;

// Beyond these the factor is not the only error; calibration.schema.json has both.
export const calibrationPercentMin = 25;

export const calibrationPercentMax = 400;
export const goodErrorPercentMax = 10;
export const fairErrorPercentMax = 25;

// Times the reasoning before it: the next prompt may hold that reasoning or not.
export const reasoningPartMin = 10;

// Two thousand steps make two million pairs, sorted in half a second.
export const fittedPointsMax = 2_000;

// Half a million take some 200 MB.
export const importedCallsMax = 500_000;

export const importedTurnsMax = 1_000_000;

// Each has the tool names of one server.
export const importedListsMax = 100_000;

export const rentedServersMax = 200;
export const rentsNamedMax = 3;

// No two of a million machines share an id.
export const machineIdBytes = 16;

// Another session writes a few bytes down to the disk.
export const identityWaitMaxMs = 2_000;

export const identityPauseMs = 2;
