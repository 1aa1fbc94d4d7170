// Settings of clients that are changed: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// After all together are refused: each try parses the file four times.
export const entriesTriedMax = 32;

// Its client may write the file meanwhile.
export const replaceAttemptsMax = 3;

// Each of the others at work takes some tens.
export const changeWaitMsMax = 10_000;

export const changePauseMs = 10;

// Older temporary copies are those of a killed program.
export const leftoverSecondsMin = 60;

// A change is some hundred bytes.
export const wrapJournalBytesMax = 16 * 1024 * 1024;

// Of longer lines, only the surroundings of the change.
export const changedCharactersMax = 2_000;

export const changeMarginCharactersMax = 60;

// An entry is less than a thousand.
export const remoteNotesBytesMax = 4 * 1024 * 1024;

// A client with a hundred servers would fill its context.
export const blockFilesMax = 100;
