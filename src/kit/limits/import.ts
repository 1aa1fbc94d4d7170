// Import: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Milliseconds since 1970: the last time whose local day has a year of four digits.
export const importTimeMsMax = 253_402_214_399_999;

export const importedBeginningBytes = 64;

// A client with a hundred servers has no room for a prompt.
export const serverNamesRememberedMax = 1_000;

export const serverNamesBytesMax = 1024 * 1024;

// Workflows are five levels down.
export const importDepthMax = 16;

// The largest history in reports has a thousand.
export const importFilesMax = 100_000;

// Images in base64 make ten megabytes.
export const importLineBytesMax = 64 * 1024 * 1024;

export const importReadBytesMax = 1024 * 1024;

export const importGarbageBytesMax = 16 * 1024 * 1024;

export const openCallsKeptMax = 1_000;
export const loggedRequestsMax = 100_000;

// Years of use have some million.
export const importRowsMax = 50_000_000;

// A database that its client has open is copied; the largest known have some GB.
export const importCopyBytesMax = 16 * 1024 * 1024 * 1024;

export const importCopiesMax = 3;

// Answers that recur are near each other.
export const importTextsRememberedMax = 10_000;

export const clientSettingsBytesMax = 16 * 1024 * 1024;

// The YAML parser takes seconds for a megabyte.
export const clientYamlBytesMax = 256 * 1024;

// Those with the most calls.
export const importToolsShownMax = 30;

// A gigabyte of history makes some tens of megabytes.
export const importCacheEntryBytesMax = 64 * 1024 * 1024;

// Beyond it the oldest are removed.
export const importCacheBytesMax = 512 * 1024 * 1024;

export const sessionStartMsMax = 10_000;
export const sharedTextsMax = 1_000;
export const importedModelsMax = 256;

// A log is written when an answer is whole.
export const pairedCallsMsMax = 10_000;

// More than any model can choose from.
export const loggedNamesMax = 2_000;

// Counted each time that they are listed.
export const listedNamesMax = 10_000;

// Each change of a server's tools makes another list.
export const listedServersMax = 200;
