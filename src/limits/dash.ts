// The local page: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Calls that the page shows one by one, 52 bytes each; the sums of all others are right. A year of one busy developer. */
export const dashCallsMax = 1_000_000;

/** Calls in a part of the table, which grows by such parts: half a megabyte. */
export const dashChunkCalls = 8_192;

/** Names of servers, of tools and of sessions in the table of calls, each. */
export const dashNamesMax = 100_000;

/** Rows of tools and of servers, those with the most tokens. A person reads far fewer. */
export const dashRowsMax = 1_000;

/** Sessions of a view, the newest. */
export const dashSessionRowsMax = 500;

/** Calls of the view of a session, the newest. */
export const dashCallRowsMax = 5_000;

/** Calls in the drawing of tokens by duration, the newest: more points cover each other. */
export const dashPointsMax = 2_000;

/** Calls below the figures of a tool. */
export const dashLastCallsMax = 20;

/** Tools with a part of their own in the bars of the overview: more colours are too much alike. */
export const dashSeriesMax = 6;

/** Hours or days in the bars of the overview. A bar has a pixel or two at this number. */
export const dashBucketsMax = 400;

/** Names in each choice of the page. */
export const dashChoicesMax = 200;

/** Alerts of one session. */
export const dashMarksMax = 500;

/** Alerts of all sessions together. */
export const dashAllMarksMax = 50_000;

/** Lists of definitions, one for each server and estimator. A list may have thousands of tools. */
export const dashListsMax = 200;

/** Milliseconds after its last record in which a session without an end counts as live. */
export const dashLiveMs = 600_000;

/** Notes on a screen. */
export const dashNotesMax = 20;

/** Milliseconds between two changes of a screen: four in a second are as many as a person follows. */
export const dashDeltaMs = 250;

/** Times its own duration that the making of views is followed by other work. */
export const dashRestFactor = 4;

/** Milliseconds after which a comment is sent to a quiet page: a reader that has left is found so. */
export const dashPingMs = 15_000;

/** Open pages. Each keeps the view that it was sent. */
export const dashPagesMax = 64;

/** Bytes of changes that wait for a page that does not read; it gets no more until it has. */
export const dashWaitingBytesMax = 4 * 1024 * 1024;

/** Characters of an address: each choice in it is a name. */
export const dashAddressCharactersMax = 8_192;

/** Bytes that views leave as garbage before it is collected: of a hundred thousand calls, those of one view. */
export const dashGarbageBytesMax = 6 * 1024 * 1024;

/** Milliseconds between two views while all records are read for the first time: more would take a third of that time. */
export const dashBeginningMs = 1_000;

/** Files that are read before the page gets its turn. */
export const dashReadingMs = 20;

/** Milliseconds between two readings of budget counters. */
export const dashCountersMs = 1_000;

/** Milliseconds for which the text of `/metrics` is kept: to make it reads all records. */
export const dashMetricsMs = 10_000;

/** Milliseconds between two searches for record files that were removed, replaced or imported: the status of each is read. */
export const dashFilesMs = 2_000;

/** Milliseconds after which a screen is made again without a new record: sessions stop being live. */
export const dashClockMs = 5_000;

/** Milliseconds for which the file is kept that leads a browser to the page: a cold browser takes seconds to start. */
export const dashOpenMs = 60_000;

/** Challenges to pages that come back, the newest: each page asks for one a few seconds apart. */
export const dashChallengesMax = 64;

/** Milliseconds in which a challenge must be answered. */
export const dashChallengeMs = 30_000;
