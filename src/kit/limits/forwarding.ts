// Forwarding and processes: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Beyond it that side waits. Ten thousand calls are 3 MB.
export const unprocessedBytesMax = 4 * 1024 * 1024;

// Views of a line, and its place in a list.
export const lineHeadBytes = 400;

// Some thousands of small messages.
export const ringBytes = 1024 * 1024;

// Used while the ring is full; beyond half of it the sender waits. All of it is counted in three seconds.
export const spoolBytes = 128 * 1024 * 1024;

// A larger file is emptied as soon as it is read, which frees its disk.
export const spoolKeptBytesMax = 8 * 1024 * 1024;

// More than one read of a pipe.
export const spoolReadBytes = 256 * 1024;

// The capacity of a pipe.
export const forwardedReadBytesMax = 64 * 1024;

// While messages keep coming, the judge waits and takes many at once.
export const judgeDelayMs = 35;

// A client may kill 5 ms after its last answer.
export const promptDelayMs = 1;

// As many as checkpoints follow each other.
export const promptWakesMax = 16;

export const promptPeriodMs = 100;
export const roomCheckMs = 2;
export const socketCheckMs = 1_000;

// Before a save for a leaving client.
export const checkpointCatchUpMaxMs = 50;

// Bytes wait in their pipes meanwhile.
export const threadStartMaxMs = 2_000;

export const threadStopMaxMs = 1_000;

// One direction must not keep the event loop longer.
export const turnMaxMs = 2;

export const turnCheckLines = 32;

// Counted, because a clock cannot distinguish work from waiting.
export const turnChunksMax = 16;

export const overflowReadBytesMax = 256 * 1024;

// Ends a pipe that a grandchild holds open after the child's exit.
export const silenceAfterExitMs = 250;

// A signal of the client shortens the wait.
export const silenceCheckMs = 50;

// Clients wait 2 s for the server to exit.
export const unreadAfterCloseMaxMs = 1_000;

// The rest of 2 s when the server had to be killed.
export const unreadAfterSignalMaxMs = 150;

// When the signal was probably sent to the whole process group.
export const groupExitMaxMs = 1_000;

// Clients kill us 2 s after SIGTERM, and the child must exit first.
export const killAfterTermMs = 1_700;
