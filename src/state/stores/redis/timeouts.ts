// Kept apart from connection.ts, so that parsing options does not load sockets.

// A local Redis answers within 1 ms; this leaves room for a distant one without a noticeable delay.
export const answerTimeoutDefaultMs = 250;

export const redisConnectMaxMs = 1_000;

// The time limit for writing a session's last spending when the session ends.
export const redisCloseMaxMs = 500;
