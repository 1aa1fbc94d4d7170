export const countingAtExitMaxMs = 3_000;

// A sender waits once its unread bytes fill half of it. Counting a full spool takes three seconds.
export const spoolBytes = 128 * 1024 * 1024;

export const linesPerTurnCheck = 32;
