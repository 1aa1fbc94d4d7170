// The whole text of a refusal stays under 300 characters.
export const refusalNameCharactersMax = 60;

// Both directions together; beyond it the oldest is abandoned.
export const openCallsMax = 65_536;

// Cancelled or refused requests whose answer may still arrive, in each direction.
export const lateAnswersMax = 1_024;

export const toolsListedMax = 10_000;

// A longer answer costs "more than" the limit.
export const exactCountCharacters = 256 * 1024;

// After making views, other work gets this many times as long.
export const dashRestFactor = 4;

// Shorter values, such as `main`, occur by chance.
export const secretCharactersMin = 8;

export const schemaLevelsMax = 12;

export const subschemasMax = 10_000;

// Twelve clients with fifteen servers each, and some.
export const configuredServersMax = 200;

export const inputReadBytesMax = 1024 * 1024;

export const quotedCharactersMax = 40;

// Names have up to 256 characters.
export const reportNameColumnsMax = 256;

export const noteNameColumnsMax = 60;

// A tool's error text fits.
export const problemColumnsMax = 600;

// Views of a line, and its place in a list.
export const lineHeadBytes = 400;

// The capacity of a pipe.
export const forwardedReadBytesMax = 64 * 1024;

// Held in memory; a longer body is refused with 413.
export const requestBytesMax = 64 * 1024 * 1024;

// Longer bodies of all open requests; a further one is refused with 503.
export const heldRequestBytesMax = 4 * requestBytesMax;

// Where budgets are enforced, longer paths are dropped: clients quote them in errors.
export const redirectPathMax = 256;

// Images in base64 make ten megabytes.
export const importLineBytesMax = 64 * 1024 * 1024;

// Longer lines are skimmed; eight megabytes hold a full-page screenshot.
export const lineObservedBytesMax = 8 * 1024 * 1024;

// Five million levels cost JSON.parse two seconds.
export const nestingMax = 256;

// Tool, method, client, server.
export const nameCharactersMax = 256;

// Declared by our tools: tables of a thousand tokens have four to five thousand bytes.
export const servedAnswerBytesMax = 8_000;

export const recordFlushMaxMs = 2_000;

// Further names share the row `(other)`.
export const toolRowsMax = 1_000;

export const reportServersMax = 1_000;

// After that many newer sessions, a record counts as one without a session.
export const reportSessionsMax = 100_000;

// Several times as many as there are.
export const reportEstimatorsMax = 50;

export const adviceRepeatsMax = 2;

// More than most clients show: Gemini CLI repeats the arguments, 95 in all (test/golden/refused.test.ts).
export const refusalTokensMost = 100;

// Fewer clean steps give a line by chance.
export const cleanStepsMin = 30;

// MCP allows 128 for a tool.
export const telemetryNameCharactersMax = 128;
