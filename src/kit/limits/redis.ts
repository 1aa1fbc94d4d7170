// Counters in Redis: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// A call waits for the answer, which takes less than one on a local network.
export const redisCommandMaxMs = 250;

// With encryption and password: the first calls wait for it.
export const redisConnectMaxMs = 1_000;

// Ten thousand server names take a tenth of it.
export const redisAnswerBytesMax = 4 * 1024 * 1024;

// Ours have one.
export const redisAnswerDepthMax = 4;

// A host name, a user and a generated password.
export const redisUrlCharactersMax = 2_048;

// A part of every key.
export const fleetCharactersMax = 64;

// Against a late repetition of the last change.
export const endedShareMs = 3_600_000;

export const redisLastMs = 500;

// A fleet has some dozens.
export const listedCountersMax = 10_000;

// They wait in one buffer.
export const countersReadTogether = 200;

// Lines that wait for a counter; beyond it no further lines are read.
export const askedBytesMax = 16 * 1024 * 1024;

export const askedLinesMax = 10_000;

// The name of a tool may be as long as a line.
export const keptKeyCharactersMax = 4_096;
