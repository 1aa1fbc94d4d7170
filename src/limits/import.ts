// Import: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Milliseconds since 1970 of the last time that a log may have: records write years in four digits. */
export const importTimeMsMax = 253_402_300_799_999;

/** Bytes from which a file is known to be an import: the type of its first record. */
export const importedBeginningBytes = 64;

/** Names of servers of one client that are remembered: a client with a hundred servers has no room for a prompt. */
export const serverNamesRememberedMax = 1_000;

/** Bytes of the file that has them. */
export const serverNamesBytesMax = 1024 * 1024;

/** Levels of folders below a client's folder that are searched for sessions: workflows are five levels down. */
export const importDepthMax = 16;

/** Sessions of a client that are read: the largest history in reports has a thousand. */
export const importFilesMax = 100_000;

/** Bytes of one line of a log: images in base64 make ten megabytes. */
export const importLineBytesMax = 64 * 1024 * 1024;

/** Bytes that one read of a log asks for. */
export const importReadBytesMax = 1024 * 1024;

/** Bytes that a compressed log may have: ten megabytes may stand for a terabyte. */
export const importUnpackedBytesMax = 4 * 1024 * 1024 * 1024;

/** Bytes of logs that are read before their garbage is collected. */
export const importGarbageBytesMax = 16 * 1024 * 1024;

/** Calls without an answer that the reader of a growing file knows. */
export const openCallsKeptMax = 1_000;
/** Requests of one chat of VS Code, whose facts are kept until its file ends. */
export const loggedRequestsMax = 100_000;

/** Rows of one table of a client's database: years of use have some million. */
export const importRowsMax = 50_000_000;

/** Length of a database that is copied because its client has it open: the largest known have some GB. */
export const importCopyBytesMax = 16 * 1024 * 1024 * 1024;

/** Attempts to copy a database that is written meanwhile. */
export const importCopiesMax = 3;

/** Texts whose tokens are remembered while logs are read: answers that recur are near each other. */
export const importTextsRememberedMax = 10_000;

/** Bytes of a client's settings, from which names of servers are read. */
export const clientSettingsBytesMax = 16 * 1024 * 1024;

/** Bytes of such a file in YAML, whose parser takes seconds for a megabyte. */
export const clientYamlBytesMax = 256 * 1024;

/** Servers and tools that the table of an import has, those with the most calls first. */
export const importToolsShownMax = 30;

/** Bytes of the events of one log that are kept: a gigabyte of history makes some tens of megabytes. */
export const importCacheEntryBytesMax = 64 * 1024 * 1024;

/** Bytes of the events of all logs that are kept; beyond it the oldest are removed. */
export const importCacheBytesMax = 512 * 1024 * 1024;

/** Milliseconds from the start of a client to the first line of its session. */
export const sessionStartMsMax = 10_000;

/** Names of conversations and models that the events of one log share. */
export const sharedTextsMax = 1_000;

/** Models of one session's total. */
export const importedModelsMax = 256;

/** Milliseconds between a call on the wire and the same call in a client's log, which is written when an answer is whole. */
export const pairedCallsMsMax = 10_000;

/** Names of tools in one line of a log that lists them: more than any model can choose from. */
export const loggedNamesMax = 2_000;

/** Names of tools that the lists of one conversation have together, each time that they are listed. */
export const listedNamesMax = 10_000;

/** Lists of tools of one conversation: each server has one, and another one each time that its tools change. */
export const listedServersMax = 200;
