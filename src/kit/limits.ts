export const quotedCharactersMax = 40;

// Logs contain images in base64, of ten megabytes each.
export const importLineBytesMax = 64 * 1024 * 1024;

export const nameCharactersMax = 256;

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
