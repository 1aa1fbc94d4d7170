// The local page: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// A year of a busy developer, 52 bytes a call; totals of older calls stay right.
export const dashCallsMax = 1_000_000;

// Half a megabyte by which the table grows.
export const dashChunkCalls = 8_192;

export const dashNamesMax = 100_000;

// Those with the most tokens.
export const dashRowsMax = 1_000;

// The newest.
export const dashSessionRowsMax = 500;

export const dashCallRowsMax = 5_000;

// The newest; more points cover each other.
export const dashPointsMax = 2_000;

export const dashLastCallsMax = 20;

// More colours are too much alike.
export const dashSeriesMax = 6;

// A bar still has a pixel or two.
export const dashBucketsMax = 400;

export const dashChoicesMax = 200;
export const dashMarksMax = 500;
export const dashAllMarksMax = 50_000;

// By server and estimator; each may have thousands of tools.
export const dashListsMax = 200;

// A session without an end counts as live until then.
export const dashLiveMs = 600_000;

export const dashNotesMax = 20;

// A person follows four changes per second.
export const dashDeltaMs = 250;

// After making views, other work gets this many times as long.
export const dashRestFactor = 4;

// A comment to a quiet page shows whether its reader has left.
export const dashPingMs = 15_000;

// Each page keeps its last view.
export const dashPagesMax = 64;

// A page that does not read gets no more until it has.
export const dashWaitingBytesMax = 4 * 1024 * 1024;

// Each choice in an address is a name.
export const dashAddressCharactersMax = 8_192;

// A view of a hundred thousand calls.
export const dashGarbageBytesMax = 6 * 1024 * 1024;

// Between two views at the first reading: more would take a third of its time.
export const dashBeginningMs = 1_000;

export const dashReadingMs = 20;
export const dashCountersMs = 1_000;

// Making it reads all records.
export const dashMetricsMs = 10_000;

// Each search reads the status of all files.
export const dashFilesMs = 2_000;

// Views change without a new record: sessions stop being live.
export const dashClockMs = 5_000;

// A cold browser takes seconds to start.
export const dashOpenMs = 60_000;
