// Settings of clients that are changed: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Entries of one file that are tried one by one after all together are refused: each try parses the file four times. */
export const entriesTriedMax = 32;

/** Attempts to replace a file that its client writes meanwhile. */
export const replaceAttemptsMax = 3;

/** Milliseconds that a change of settings waits for those of others at work: each takes some tens. */
export const changeWaitMsMax = 10_000;

/** Milliseconds between two attempts to have the state folder alone. */
export const changePauseMs = 10;

/** Seconds after which a temporary copy of settings is that of a program that was killed: it lives for some milliseconds. */
export const leftoverSecondsMin = 60;

/** Bytes of the journal of changed settings: a change is some hundred bytes. */
export const wrapJournalBytesMax = 16 * 1024 * 1024;

/** Characters of the lines of a change that are compared; of longer lines only the surroundings of the change. */
export const changedCharactersMax = 2_000;

/** Characters on both sides of a change in a long line. */
export const changeMarginCharactersMax = 60;

/** Bytes of the notes about the remote entries of one file: an entry is less than a thousand. */
export const remoteNotesBytesMax = 4 * 1024 * 1024;

/** Files of settings in one folder: each has a server, and a client with a hundred would fill its context. */
export const blockFilesMax = 100;

/** The lowest port of `serve` in an entry: below the ports that systems give to connections, and not among those that known programs use. */
export const servedPortMin = 28_100;

/** The highest port of `serve` in an entry: a user has some tens of remote servers. */
export const servedPortMax = 28_899;
