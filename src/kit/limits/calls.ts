// Calls: limits, each with its reason (docs/adr/0012-beyond-limits.md).

// Both directions together; beyond it the oldest is abandoned.
export const openCallsMax = 65_536;

// Cancelled or refused requests whose answer may still arrive, in each direction.
export const lateAnswersMax = 1_024;

export const suspendedCallsMax = 4_096;

// Further methods share the entry `(other)`.
export const notificationMethodsMax = 64;

export const repeatsRememberedMax = 10_000;

// Polling agents repeat a call two or three times.
export const repeatedCallsMin = 5;
