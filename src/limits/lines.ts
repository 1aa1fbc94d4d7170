// Lines and messages: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Bytes of a line kept for parsing; longer lines are skimmed. Eight megabytes hold a full-page screenshot. */
export const lineObservedBytesMax = 8 * 1024 * 1024;

/** Lines up to this size are parsed at once; longer ones are first skimmed for depth and width. */
export const lineTrustedBytesMax = 64 * 1024;

/** Bytes of a part of a line below which it is a crumb: kept one by one, crumbs cost more than their bytes. */
export const crumbBytesMax = 1_024;

/** Crumbs in a row before they are joined. */
export const crumbsMax = 256;

/** Levels of nesting beyond which JSON is not parsed: five million levels cost JSON.parse two seconds. */
export const nestingMax = 256;

/** Commas and brackets beyond which JSON is not parsed: 2.6 million empty arrays cost JSON.parse 0.7 s. */
export const structuresMax = 200_000;

/** Top-level members that a skim records besides those of JSON-RPC. */
export const skimMembersMax = 32;

/** Bytes of a key or a top-level value that a skim records. */
export const skimTextBytesMax = 512;

/** Bytes of an id, a method or a tool's name that a skim records: ids of a kilobyte are legal. */
export const frameTextBytesMax = 64 * 1024;

/** Elements of a batch that are read one by one. */
export const batchItemsMax = 10_000;

/** Characters of a name from the wire that are kept in records: tool, method, client, server. */
export const nameCharactersMax = 256;
