// Those with the most tokens.
export const dashRowsMax = 1_000;

// A session without an end counts as live until then.
export const dashLiveMs = 600_000;

// The rest is summed up in one row.
export const summaryRowsMax = 50;

export const checkRowsMax = 200;

export const driftRowsMax = 100;

export const noteDetailColumnsMax = 160;
