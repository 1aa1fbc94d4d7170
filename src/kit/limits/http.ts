// Servers behind a URL: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Held in memory; a longer body is refused with 413.
export const requestBytesMax = 64 * 1024 * 1024;

// Accepted however many others are open: a usual body is a thousandth of it.
export const shortRequestBytesMax = 1024 * 1024;

// Longer bodies of all open requests; a further one is refused with 503.
export const heldRequestBytesMax = 4 * requestBytesMax;

// A further exchange is refused with 503. The runtime makes 256 requests at a time; six are left for telemetry.
export const openExchangesMax = 250;

// A server may invent any number of reasons.
export const unreachableReasonsMax = 5;

// A page of text, as most answers are, leaves in one write with its head.
export const shortBodyBytesMax = 64 * 1024;

// A server that has the answer sends head and end at once.
export const shortBodyMaxMs = 10;

// Where limits are enforced: the old transport sends the first event with its head.
export const firstEventMaxMs = 500;

// The old transport sends nothing before its first event.
export const firstEventBytesMax = 64 * 1024;

// Each has a meter; beyond it the one that was silent longest ends.
export const conversationsMax = 500;

// A killed client does not say goodbye.
export const silentConversationMaxMs = 30 * 60_000;

export const conversationCheckMs = 10_000;

// The newest, to recognise events that a resumed stream repeats.
export const eventIdsMax = 1_000;

// For a resumed stream: some thousand refusals, or a few shortened answers.
export const rememberedBytesMax = 4 * 1024 * 1024;

// The rest of a longer event is in a file until it is decided.
export const heldEventBytesMax = 1024 * 1024;

// Mostly in a file; a longer answer is broken off.
export const heldAnswerBytesMax = 1024 * 1024 * 1024;

// Redirects, mostly to a slash at the end. Clients follow five, and quote the next one.
export const endpointPathsMax = 6;

// Where budgets are enforced, longer challenges are left out: clients quote them in errors.
export const challengeMax = 500;

// Where budgets are enforced, longer paths are dropped: clients quote them in errors.
export const redirectPathMax = 256;

// A longer id is not remembered.
export const eventFieldBytesMax = 256;

// A compressed megabyte can hold a gigabyte.
export const decodedBytesMax = 64 * 1024 * 1024;

// The last answer is read a moment after it was forwarded.
export const exchangesEndMaxMs = 500;

// mcp-meter itself ends within 2 s.
export const keptAtEndMaxMs = 1_500;

// Read on by a command that connects as a client, to report the length.
export const answerBytesMax = 64 * 1024 * 1024;

// A JSON-RPC error has a sentence or two.
export const refusalBytesMax = 64 * 1024;

// A server may ask for none, and end the stream each time.
export const streamReturnMinMs = 100;

// A timer cannot hold any number that a server may name.
export const streamReturnMaxMs = 60_000;

export const locationCharactersMax = 200;

// Forwarded, not metered; beyond it the rest of the answer waits too.
export const unreadBytesMax = 1024 * 1024;

/** Bytes of an answer that are read in one step: at the rate of the slowest, one takes some milliseconds. */
export const pieceBytesMax = 8 * 1024;

/** Milliseconds for which the reading of one answer may keep others waiting. */
export const sliceMaxMs = 2;
