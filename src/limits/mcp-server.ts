// Our own MCP server: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Tokens of an answer, by the estimator with the most tokens for text: an agent asks to spare its context. */
export const servedAnswerTokensMax = 1_000;

/** Bytes of an answer, which our tools declare: tables of a thousand tokens have four to five thousand. */
export const servedAnswerBytesMax = 8_000;

/** Columns of an error that an answer consists of: it quotes arguments. */
export const servedErrorColumnsMax = 400;

/** Columns of a table in an answer, beyond which names are shortened in their middle. */
export const servedTableColumnsMax = 110;

/** Rows of a table that an agent may ask for: more never fit into an answer. */
export const servedRowsMax = 50;

/** Estimators whose sessions are in one answer; a machine has two or three. */
export const servedBlocksMax = 3;

/** Notes about records in an answer, such as of lines that were skipped. */
export const servedNotesMax = 3;

/** Servers that are named where nothing matches. */
export const servedServersMax = 10;

/** Megabytes of records that are read for an answer: they take two seconds, and a client waits for sixty at most. */
export const servedRecordMegabytesMax = 512;

/** Different questions that wait for an answer; equal ones share one. */
export const servedQuestionsMax = 64;

/** Bytes of a line from the client; a call of our tools has a few hundred. */
export const servedLineBytesMax = 1024 * 1024;

/** Open requests beyond which no further line is read. */
export const servedRequestsMax = 1_000;

/** Bytes of answers that the client has not read, beyond which no further line is read. */
export const servedBytesQueuedMax = 1024 * 1024;

/** Milliseconds for open requests after the client has closed its end. */
export const servedEndMaxMs = 10_000;
