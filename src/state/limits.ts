// Traffic waits for transactions, which take a fraction of a millisecond.
export const storeBusyMaxMs = 1_000;

export const storeCloseBusyMaxMs = 500;

export const storeFlushMaxMs = 10;

export const holdMaxMs = 60_000;

// Two renewals may fail before a hold is lost.
export const holdRenewalMs = 20_000;

// More than a month after the last use.
export const counterKeptMaxMs = 40 * 86_400_000;

// Ten thousand tools take about ten megabytes.
export const lockBytesMax = 64 * 1024 * 1024;

export const callsBytesMax = 4 * 1024 * 1024;

export const configBytesMax = 1024 * 1024;

export const importGarbageBytesMax = 64 * 1024 * 1024;

export const recordLineBytesMax = 16 * 1024 * 1024;
