// Counters in Redis: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Milliseconds to wait for the answer to a command, which takes less than one in a network of one place: a call waits with it. */
export const redisCommandMaxMs = 250;

/** Milliseconds until a connection is open, with its encryption and its password: the first calls wait for it. */
export const redisConnectMaxMs = 1_000;

/** Bytes of answers that wait to be read: ten thousand names of servers are a tenth of it. */
export const redisAnswerBytesMax = 4 * 1024 * 1024;

/** Levels of lists in an answer; ours have one. */
export const redisAnswerDepthMax = 4;

/** Characters of the URL of a Redis: a host name, a user and a password that a machine made. */
export const redisUrlCharactersMax = 2_048;

/** Characters of a fleet's name, which is a part of every key. */
export const fleetCharactersMax = 64;

/** Milliseconds for which the last change of a meter that has ended is remembered, against a late repetition of it. */
export const endedShareMs = 3_600_000;

/** Milliseconds at the end of a session in which its spending is written to Redis. */
export const redisLastMs = 500;

/** Counters that are listed; a fleet has some dozens. */
export const listedCountersMax = 10_000;

/** Counters that are read between two answers: they wait in one buffer. */
export const countersReadTogether = 200;

/** Bytes of lines that wait for the answer of a counter; while there are more, no further lines are read. */
export const askedBytesMax = 16 * 1024 * 1024;

/** Lines that wait for the answer of a counter; while there are more, no further lines are read. */
export const askedLinesMax = 10_000;

/** Characters of a counter's key that are kept, so that it can be listed; the name of a tool may be as long as a line. */
export const keptKeyCharactersMax = 4_096;
