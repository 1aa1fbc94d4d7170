// Servers behind a URL: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Bytes of a request's body; a longer one is refused with 413. It is one message, and is held in memory. */
export const requestBytesMax = 64 * 1024 * 1024;

/** Bytes of the head of a request; a longer one is refused with 431. Servers read 8 to 64 KiB, and it is for them to refuse it. */
export const requestHeadBytesMax = 256 * 1024;

/** Lines of the head of a request, as many as Node reads: each name is looked for among those before it. */
export const requestLinesMax = 2_000;

/** Seconds without a byte after which an unfinished request is refused with 408: it holds a place and its memory. */
export const requestSilenceMaxSeconds = 60;

/** Seconds that a client has to read why its request was refused, while it still sends it. */
export const refusedLingerSeconds = 8;

/** Bytes behind a request that is being answered; with more of them the connection ends behind that answer. */
export const pipelinedBytesMax = 256 * 1024;

/** Bytes of a body that leave in one write with the head of their answer, or with the size of their chunk. */
export const joinedAnswerBytesMax = 64 * 1024;

/** Bytes of a request's body that is accepted however many others are open: a usual one is a thousandth of it. */
export const shortRequestBytesMax = 1024 * 1024;

/** Bytes of the longer bodies of all open requests; one more is refused with 503. Four of the longest fit. */
export const heldRequestBytesMax = 4 * requestBytesMax;

/** Exchanges at the same time; one more is refused with 503. Each is two connections, and takes up to 0.15 MB. */
export const openExchangesMax = 1_000;

/** The same where the runtime asks the server, which makes 256 requests at a time, and another one would wait without an answer. */
export const runtimeExchangesMax = 250;

/** Requests besides those of exchanges, such as the exports of telemetry. */
export const ownRequestsMax = 6;

/** The highest number of requests at a time that the runtime accepts as its own limit. */
export const runtimeRequestsMax = 65_535;

/** Different reasons for which a server cannot be reached that are reported, each once: a server may make up any number of them. */
export const unreachableReasonsMax = 5;

/** Bytes of a body that may leave in one write with its head: a page of text, as most answers are. */
export const shortBodyBytesMax = 64 * 1024;

/** Milliseconds that its end is awaited after its head: a server that has the answer sends both at once. */
export const shortBodyMaxMs = 10;

/** Conversations at the same time, each with a meter of its own; beyond it the one that was silent longest ends. */
export const conversationsMax = 500;

/** Milliseconds without an exchange after which a conversation is over: a client that is killed does not say goodbye. */
export const silentConversationMaxMs = 30 * 60_000;

/** Milliseconds between two looks for conversations that are over, and for the time without any exchange. */
export const conversationCheckMs = 10_000;

/** Ids of events that a conversation remembers, the newest, to know those that a resumed stream brings once more. */
export const eventIdsMax = 1_000;

/** Bytes of our own lines that a conversation remembers for a resumed stream: some thousand refusals, or a few shortened answers. */
export const rememberedBytesMax = 4 * 1024 * 1024;

/** Bytes of an event that are held in memory until it is decided; the rest of a longer one is in a file. */
export const heldEventBytesMax = 1024 * 1024;

/** Bytes of an answer that is held until it is decided; a longer one is broken off. Most of it is in a file. */
export const heldAnswerBytesMax = 1024 * 1024 * 1024;

/** Paths that redirects of the endpoint lead to and that are metered like it: one with a slash at its end is usual. */
export const endpointPathsMax = 8;

/** Characters of `WWW-Authenticate` where budgets are enforced; a longer one is left out, because clients quote its scope in errors. */
export const challengeMax = 500;

/** Characters of names other than those of JSON-RPC that a message may have: clients quote such names in errors. */
export const oddNamesMax = 100;

/** Characters of such a path, and of one that is reported; where budgets are enforced, a longer one is not handed on: clients quote it in errors. */
export const redirectPathMax = 256;

/** Bytes of the id or type of an event that are read; a longer id is not remembered. */
export const eventFieldBytesMax = 256;

/** Bytes that the decoded copy of one message may have: a compressed one of a megabyte can hold a gigabyte. */
export const decodedBytesMax = 64 * 1024 * 1024;

/** Milliseconds that exchanges which were broken off have to end: the last answer is read a moment after it was forwarded. */
export const exchangesEndMaxMs = 500;

/** Bytes of one answer that a command which connects as a client reads on, to report how long it is. */
export const answerBytesMax = 64 * 1024 * 1024;

/** Bytes of the body of a refusal that are searched for an error of JSON-RPC; such an error has a sentence or two. */
export const refusalBytesMax = 64 * 1024;

/** Least milliseconds before a stream is resumed: a server may ask for none, and end it each time. */
export const streamReturnMinMs = 100;

/** Most milliseconds before a stream is resumed: a timer cannot hold any number that a server may name. */
export const streamReturnMaxMs = 60_000;

/** Characters of the address of a redirect that are shown. */
export const locationCharactersMax = 200;

/** Milliseconds in which a program at a port of this machine must answer, or is taken for another one. */
export const probeMsMax = 2_000;

/** Characters of its answer that are read: ours has some hundred. */
export const probeBytesMax = 4_096;

/** Bytes of the head of an answer, many times as many as clients read: it is for them to reject it. */
export const answerHeadBytesMax = 1024 * 1024;

/** Lines of the head of an answer, as many as Node reads: each name is looked for among those before it. */
export const answerLinesMax = 2_000;

/** Characters of the line with the size of a chunk, and of a line behind the last one; extensions are hardly ever used. */
export const chunkLineBytesMax = 4 * 1024;

/** Bytes of the fields behind the last chunk, which are left out. */
export const trailerBytesMax = 64 * 1024;

/** Bytes of a body that may wait for its client; then the server waits. One read of a socket has up to twice as many. */
export const waitingBodyBytesMax = 1024 * 1024;

/** Pieces of a body that may wait for its client, which may be a byte long each; then the server waits. */
export const waitingPiecesBoundMax = 1_024;

/** Pieces of a body that wait and are handed on one by one; more are joined. */
export const waitingPiecesMax = 16;

/** Bytes of a body that leaves in one write with the head of its request. */
export const joinedRequestBytesMax = 64 * 1024;

/** Milliseconds without a request after which a connection is closed: the servers that close theirs first do so after five seconds. */
export const idleConnectionMaxMs = 4_000;

/** Milliseconds in which a server that closed a connection without a word is not given connections that rested so long again. */
export const unsaidCloseMs = 60_000;

/** Milliseconds before the moment at which a server closes a connection, in which no request begins on it. */
export const connectionMarginMs = 1_000;

/** Milliseconds after which exchanges that have passed are metered, together with others that pass meanwhile. */
export const meteringDelayMs = 10;

/** Exchanges that are metered in a row: messages that come meanwhile wait for a fraction of a millisecond. */
export const meteredTogetherMin = 8;

/** The share of all those that wait which is metered in a row where it is more, so that a flood is not faster than its metering. */
export const meteredTogetherShare = 1 / 4;

/** Bytes of a chunk whose memory is given back at once; that of shorter ones is cheaper to collect. */
export const freedBytesMin = 64 * 1024;

/** Bytes of an answer that were forwarded and wait to be metered; then the rest of it waits too. */
export const unreadBytesMax = 1024 * 1024;
