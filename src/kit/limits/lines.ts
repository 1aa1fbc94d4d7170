// Lines and messages: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Longer lines are skimmed; eight megabytes hold a full-page screenshot.
export const lineObservedBytesMax = 8 * 1024 * 1024;

// Longer lines are first skimmed for depth and width.
export const lineTrustedBytesMax = 64 * 1024;

// Kept one by one, smaller parts cost more than their bytes.
export const crumbBytesMax = 1_024;

export const crumbsBytes = 16 * 1024;

// Five million levels cost JSON.parse two seconds.
export const nestingMax = 256;

// Commas and brackets: 2.6 million empty arrays cost JSON.parse 0.7 s.
export const structuresMax = 200_000;

export const skimMembersMax = 32;
export const skimTextBytesMax = 512;

// Ids of a kilobyte are legal.
export const frameTextBytesMax = 64 * 1024;

export const batchItemsMax = 10_000;

// Tool, method, client, server.
export const nameCharactersMax = 256;

/** Bytes of the shortest text that is a message for any reader, without its newline: `{"method":""}` is longer. */
export const messageBytesMin = 12;
