// A whole refusal then has fewer than 300 characters.
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

// Memory that a line takes besides its bytes.
export const lineOverheadBytes = 400;

// The capacity of a pipe.
export const forwardedReadBytesMax = 64 * 1024;

// Bodies are held in memory; a longer one is refused with 413.
export const requestBytesMax = 64 * 1024 * 1024;

// For the long bodies of all open requests; one more is refused with 503.
export const heldRequestBytesMax = 4 * requestBytesMax;

// With budgets enforced, longer paths are dropped, because clients quote them in errors.
export const redirectPathMax = 256;

// Logs contain images in base64, of ten megabytes each.
export const importLineBytesMax = 64 * 1024 * 1024;

// Longer lines are skimmed. Eight megabytes fit a full-page screenshot.
export const lineObservedBytesMax = 8 * 1024 * 1024;

// Without a limit, JSON.parse takes two seconds for five million levels.
export const nestingMax = 256;

export const nameCharactersMax = 256;

// Our tools declare it. A table of a thousand tokens takes four to five thousand bytes.
export const servedAnswerBytesMax = 8_000;

export const recordFlushMaxMs = 2_000;

// Further names share the row `(other)`.
export const toolRowsMax = 1_000;

export const reportServersMax = 1_000;

// Beyond it the oldest sessions are forgotten, and their further records count as without a session.
export const reportSessionsMax = 100_000;

export const reportEstimatorsMax = 50;

export const adviceRepeatsMax = 2;

// Enough for Gemini CLI, which repeats the arguments: 95 tokens. Other clients need fewer.
export const refusalTokensMax = 100;

// A calibration fits a line through the steps: fewer of them may lie on one by chance.
export const cleanStepsMin = 30;

// MCP allows 128 characters for a tool's name.
export const telemetryNameCharactersMax = 128;
