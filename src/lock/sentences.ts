export const lockSentences = {
  growthUnmeasured: (file: string) =>
    `Cannot measure --max-increase: there is no lock "${file}" of this tokenizer to measure it from; leave it out until the lock is written`,
  growthUnmeasuredFromBase: (file: string, base: string) =>
    `Cannot measure --max-increase: "${base}" has no lock "${file}"; pass the earlier lock as --base FILE if it was moved, or leave --max-increase out of the check that adds the first lock`,
  limitUnmatched: (tool: string, nearest: string | undefined) =>
    `Cannot limit "${tool}" by --max-tool: the server does not list this tool${nearest === undefined ? "" : ` (did you mean "${nearest}"?)`}`,
  lockEstimatorKept: (file: string, locked: string, current: string) =>
    `Cannot write the lock "${file}": it was counted with ${locked}, this run counts with ${current}; pass --tokenizer ${locked}, or --force to change it`,
  lockEstimator: (file: string, locked: string, current: string) =>
    `Cannot compare with the lock "${file}": it was counted with ${locked}, this run with ${current}; pass --tokenizer ${locked}`,
  lockThresholds: (file: string, locked: string, current: string) =>
    `Cannot compare with the lock "${file}": its risk thresholds are ${locked}, those of this run are ${current}; pass --risk ${locked}, or write the lock again`,
  listWithoutTools: () => `The server lists no tools: there is nothing to compare`,
  listEmpty: (tools: number) =>
    `Cannot compare with the lock: the server lists no tools, the lock has ${tools}; an empty list does not count as their removal`,
} as const;
