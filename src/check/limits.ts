// Lines on stdout that are not JSON-RPC.
export const foreignLinesMax = 10_000;

// After each of closed stdin, SIGTERM and SIGKILL.
export const serverExitMaxMs = 1_000;

// Read on by a command that connects as a client, to report the length.
export const answerBytesMax = 64 * 1024 * 1024;
