// Our own MCP server: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// By the estimator with the most tokens: an agent asks to spare its context.
export const servedAnswerTokensMax = 1_000;

// Declared by our tools: tables of a thousand tokens have four to five thousand bytes.
export const servedAnswerBytesMax = 8_000;

// An error quotes arguments.
export const servedErrorColumnsMax = 400;

// Beyond it names lose their middle.
export const servedTableColumnsMax = 110;

// More rows never fit into an answer.
export const servedRowsMax = 50;

export const servedBlocksMax = 3;
export const servedNotesMax = 3;
export const servedServersMax = 10;

// Read in two seconds; a client waits for sixty at most.
export const servedRecordMegabytesMax = 512;

// Equal questions share an answer.
export const servedQuestionsMax = 64;
