// Forwarding and processes: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Bytes of one side forwarded and not processed yet; beyond it that side waits. Ten thousand calls are 3 MB. */
export const unprocessedBytesMax = 4 * 1024 * 1024;

/** Bytes that a line takes in memory besides its own, about: views of it, and its place in a list. */
export const lineHeadBytes = 400;

/** Bytes of the ring in which the forwarding thread publishes what passes: some thousands of small messages. */
export const ringBytes = 1024 * 1024;

/**
 * Bytes of the file that takes what passes while the ring is full; beyond half of it the side that sends so much waits. At
 * the end of a session, all of it is counted in three seconds.
 */
export const spoolBytes = 128 * 1024 * 1024;

/** Bytes that such a file may have carried before it is emptied as soon as it is read, which frees its disk. */
export const spoolKeptBytesMax = 8 * 1024 * 1024;

/** Bytes of that file read at a time; more than one read of a pipe. */
export const spoolReadBytes = 256 * 1024;

/** Bytes read from a pipe at a time by the forwarding thread: the capacity of a pipe. */
export const forwardedReadBytesMax = 64 * 1024;

/** Milliseconds for which forwarded messages wait for the judge while they keep coming: it takes many at once. */
export const judgeDelayMs = 35;

/** Milliseconds from an answer to the judge otherwise: a client may kill 5 ms after its last answer. */
export const promptDelayMs = 1;

/** Answers after which the judge is woken that soon, one after another: as many as checkpoints follow each other. */
export const promptWakesMax = 16;

/** Milliseconds between such answers that may continue forever. */
export const promptPeriodMs = 100;

/** Milliseconds between two looks for room while the traffic has to wait for the judge. */
export const roomCheckMs = 2;

/** Milliseconds between two looks for a reader that left a full socket. */
export const socketCheckMs = 1_000;

/** Milliseconds that the judge may take to catch up before what it has judged is saved because the client is leaving. */
export const checkpointCatchUpMaxMs = 50;

/** Milliseconds that the forwarding thread has to begin; bytes wait in their pipes meanwhile. */
export const threadStartMaxMs = 2_000;

/** Milliseconds that the forwarding thread has to stop at the end. */
export const threadStopMaxMs = 1_000;

/** Milliseconds for which one direction may keep the event loop to itself. */
export const turnMaxMs = 2;

/** Lines judged before the clock is read again. */
export const turnCheckLines = 32;

/** Chunks moved in one turn of the event loop. They are counted, because a clock cannot distinguish work from waiting. */
export const turnChunksMax = 16;

/** Bytes of an overflow file read back at a time. */
export const overflowReadBytesMax = 256 * 1024;

/** Milliseconds of silence after the child's exit that end a pipe which a grandchild still holds open. */
export const silenceAfterExitMs = 250;

/** Milliseconds between two checks of that silence: a signal of the client shortens the wait. */
export const silenceCheckMs = 50;

/**
 * Milliseconds without progress after which a client that has closed its end, and does not read, is given up:
 * clients wait 2 s for the server to exit.
 */
export const unreadAfterCloseMaxMs = 1_000;

/** The same after a signal: the rest of 2 s when the server had to be killed. */
export const unreadAfterSignalMaxMs = 150;

/** Milliseconds the child has to exit when the signal was probably sent to the whole process group. */
export const groupExitMaxMs = 1_000;

/** Milliseconds from SIGTERM to SIGKILL: clients kill us 2 s after SIGTERM, and the child must exit first. */
export const killAfterTermMs = 1_700;
