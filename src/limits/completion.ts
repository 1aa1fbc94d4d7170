// Completion in shells: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Record files that are read for names, the newest first: a person waits at a key, and completes names of late. */
export const completionFilesMax = 64;

/** Bytes at the beginning of a record file that are read for names: the definitions of some 500 tools. */
export const completionHeadBytesMax = 256 * 1024;

/** The same for names of servers, which every record has: its first record. */
export const completionServerBytesMax = 16 * 1024;

/** Bytes of all files that are read for names: 40 ms. */
export const completionBytesMax = 4 * 1024 * 1024;

/** Names that a shell gets: more than a person reads. */
export const completionNamesMax = 500;

/** Characters of a name that a shell gets: longer ones are not typed. */
export const completionNameCharactersMax = 128;
