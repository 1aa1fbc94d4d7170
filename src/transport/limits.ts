export const countingAtExitMaxMs = 3_000;

// Some thousands of small messages.
export const ringBytes = 1024 * 1024;

// Used while the ring is full; beyond half of it the sender waits. All of it is counted in three seconds.
export const spoolBytes = 128 * 1024 * 1024;

export const turnCheckLines = 32;

// The rest of 2 s when the server had to be killed.
export const unreadAfterSignalMaxMs = 150;

// Mostly in a file; a longer answer is broken off.
export const heldAnswerBytesMax = 1024 * 1024 * 1024;

// The last answer is read a moment after it was forwarded.
export const exchangesEndMaxMs = 500;

/** Milliseconds for which the reading of one answer may keep others waiting. */
export const sliceMaxMs = 2;
