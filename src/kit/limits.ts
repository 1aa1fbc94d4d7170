// Keeps a whole refusal below 300 characters.
export const refusalNameCharactersMax = 60;

// In both directions together; beyond it, the oldest call is abandoned.
export const openCallsMax = 65_536;

// Per direction: cancelled or refused requests that may still get an answer.
export const lateAnswersMax = 1_024;

export const toolsListedMax = 10_000;

// Longer texts are counted only up to the limit: the cost is reported as "at least" so much.
export const exactCountCharacters = 256 * 1024;

// After rendering, the dashboard pauses this many times as long, for other work.
export const dashRestFactor = 4;

// Shorter values, such as `main`, may occur in any text by chance.
export const secretCharactersMin = 8;

export const schemaLevelsMax = 12;

export const subschemasMax = 10_000;

// Twelve clients with fifteen servers each leave room to spare.
export const configuredServersMax = 200;

export const inputReadBytesMax = 1024 * 1024;

export const quotedCharactersMax = 40;

export const reportNameColumnsMax = 256;

export const noteNameColumnsMax = 60;

export const problemColumnsMax = 600;

// Overhead of a line in memory: its views and its list entry.
export const lineHeadBytes = 400;

// The capacity of a pipe.
export const forwardedReadBytesMax = 64 * 1024;

// Bodies are held in memory; a longer one is refused with 413.
export const requestBytesMax = 64 * 1024 * 1024;

// For all open requests with long bodies together; a further one is refused with 503.
export const heldRequestBytesMax = 4 * requestBytesMax;

// With budgets enforced, longer paths are dropped, because clients quote them in errors.
export const redirectPathMax = 256;

// Base64 images take ten megabytes.
export const importLineBytesMax = 64 * 1024 * 1024;

// Longer lines are skimmed. Eight megabytes fit a full-page screenshot.
export const lineObservedBytesMax = 8 * 1024 * 1024;

// JSON.parse takes two seconds for five million levels.
export const nestingMax = 256;

export const nameCharactersMax = 256;

// Our own tools declare this limit: tables of a thousand tokens take four to five thousand bytes.
export const servedAnswerBytesMax = 8_000;

export const recordFlushMaxMs = 2_000;

// Further names share the row `(other)`.
export const toolRowsMax = 1_000;

export const reportServersMax = 1_000;

// Once this many newer sessions are known, a record of an older one counts as having no session.
export const reportSessionsMax = 100_000;

export const reportEstimatorsMax = 50;

export const adviceRepeatsMax = 2;

// Most clients need less: Gemini CLI repeats the arguments, 95 tokens in all.
export const refusalTokensMax = 100;

// With fewer clean steps, a straight line can appear by chance.
export const cleanStepsMin = 30;

// MCP allows 128 characters for a tool's name.
export const telemetryNameCharactersMax = 128;
