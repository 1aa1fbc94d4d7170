// Examining an installation: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Milliseconds that a program of our name may take to print its version. */
export const programVersionMaxMs = 5_000;

/** Bytes that it may print. */
export const programVersionBytesMax = 1_024;

/** Free bytes of a disk below which records and counters fail soon: a busy day of one user. */
export const diskFullBytesMin = 10_000_000;

/** Free bytes of a disk below which that is a matter of time. */
export const diskFreeBytesMin = 500_000_000;

/** Sessions whose records are examined, the newest first. */
export const examinedSessionsMax = 50;

/** Bytes of a record file that is examined: a session of ten thousand calls has as many. */
export const examinedBytesMax = 16 * 1024 * 1024;

/** Different faults of sessions that are listed. */
export const faultsShownMax = 10;

/** Servers of one client that are named. */
export const clientServersShownMax = 10;

/** Servers of all settings together that are profiled: those of twelve clients with fifteen each. */
export const configuredServersMax = 200;

/** Servers that are started at a time: each may be a package that is installed first. */
export const serversAtOnceMax = 4;

/** Rows of a table of configured servers: those that are started, as many remote ones, and totals. */
export const setupRowsMax = 500;

/** Servers that are configured twice that a table names, and places of one of them. */
export const setupNotesMax = 10;

/** Characters of a folder or a name of a server in settings. */
export const configuredNameCharactersMax = 200;

/** Characters of an answer at the terminal that are read. */
export const answerCharactersMax = 1_000;

/** Addresses of `serve` that `doctor` tries: each answers within milliseconds or is waited for at the same time as the others. */
export const servedShownMax = 50;
