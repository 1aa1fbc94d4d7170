// Following sessions: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// The newest, a year of daily sessions; each takes a watch of the system.
export const sessionFoldersMax = 400;

// The newest: a hundred sessions a day for half a year.
export const sessionFilesMax = 20_000;

// Each has its context in memory.
export const followedFilesMax = 128;

// Our files have one.
export const followedSessionsMax = 64;

// Listing the folders of two days, without an event.
export const followCheckMs = 1_000;

// Where folders cannot be watched: a call is shown within 100.
export const followPollMs = 50;

// The meter of a file that was moved away notices within 1,000.
export const rotatedFileMs = 2_500;

export const tailLinesMax = 10_000;
