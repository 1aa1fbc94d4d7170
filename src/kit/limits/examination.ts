// Examining an installation: limits, each with its reason (docs/adr/0012-beyond-limits.md).

export const programVersionMaxMs = 5_000;
export const programVersionBytesMax = 1_024;

// Records and counters fail soon: a busy day of one user.
export const diskFullBytesMin = 10_000_000;

// A matter of time.
export const diskFreeBytesMin = 500_000_000;

export const examinedSessionsMax = 50;

// A session of ten thousand calls.
export const examinedBytesMax = 16 * 1024 * 1024;

export const faultsShownMax = 10;
export const clientServersShownMax = 10;

// Twelve clients with fifteen servers each, and some.
export const configuredServersMax = 200;

// Each may have to be installed first.
export const serversAtOnceMax = 4;

// Started servers, as many remote ones, and totals.
export const setupRowsMax = 500;

export const setupNotesMax = 10;
export const configuredNameCharactersMax = 200;
export const answerCharactersMax = 1_000;
