// Spending is written to SQLite or Redis after this delay. An amount read from SQLite is reused for this long.
export const storeFlushMaxMs = 10;

// Holds that are not renewed for this long are released, unless their meter is known to be running.
export const holdMaxMs = 60_000;

// Two renewals may fail before a hold is lost.
export const holdRenewalMs = 20_000;

// A counter is deleted this long after its last use. Longer than a month, the longest period of a counter.
export const counterRetentionMs = 40 * 86_400_000;
