// Calls: limits, each with its reason (docs/adr/0012-beyond-limits.md).

/** Requests waiting for an answer, both directions together; beyond it the oldest is abandoned. */
export const openCallsMax = 65_536;

/** Cancelled or refused requests whose answer may still arrive, in each direction. */
export const lateAnswersMax = 1_024;

/** Multi-round-trip calls and tasks waiting for their next message. */
export const suspendedCallsMax = 4_096;

/** Notification methods counted separately; further ones share the entry `(other)`. */
export const notificationMethodsMax = 64;

/** Distinct calls (tool and arguments) remembered to detect repeats. */
export const repeatsRememberedMax = 10_000;

/** Identical calls in a row that raise an alert: an agent that polls asks two or three times. */
export const repeatedCallsMin = 5;
