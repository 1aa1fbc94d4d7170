export const dashRowsMax = 1_000;

// A session without an end record counts as live for this long after its last record.
export const dashLiveMs = 600_000;

export const summaryRowsMax = 50;

export const checkRowsMax = 200;

export const driftRowsMax = 100;

export const noteDetailColumnsMax = 160;
