// Following sessions: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Folders of days that are read, the newest first: a year with sessions every day, and as many watches of the system. */
export const sessionFoldersMax = 400;

/** Record files that are examined, the newest first: a hundred sessions a day for half a year. */
export const sessionFilesMax = 20_000;

/** Record files that are kept open while they are followed; each has its context in memory. */
export const followedFilesMax = 128;

/** Sessions in one record file whose contexts are kept; ours have one. */
export const followedSessionsMax = 64;

/** Milliseconds between two searches for changes that no event has reported: the folders of two days are listed. */
export const followCheckMs = 1_000;

/** The same where folders cannot be watched, or before there is one: a call is shown within 100. */
export const followPollMs = 50;

/** Milliseconds for which a file is read that was moved away: its meter notices that within 1,000. */
export const rotatedFileMs = 2_500;

/** Calls that `tail` prints of earlier sessions. */
export const tailLinesMax = 10_000;
