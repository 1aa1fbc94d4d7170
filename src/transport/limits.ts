export const countingAtExitMaxMs = 3_000;

// Beyond half of it, the sender waits. Counting all of it takes three seconds.
export const spoolBytes = 128 * 1024 * 1024;

export const turnCheckLines = 32;
