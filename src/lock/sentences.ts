export const lockSentences = {
  growthUnmeasured: (file: string) =>
    `Cannot check --max-increase: there is no lock "${file}" counted with this tokenizer to compare with; omit the option until such a lock is written`,
  growthUnmeasuredFromBase: (file: string, base: string) =>
    `Cannot check --max-increase: "${base}" has no lock "${file}"; if the lock was moved, pass the earlier one as --base FILE, or omit --max-increase in the check that adds the first lock`,
  limitUnmatched: (tool: string, nearest: string | undefined) =>
    `Cannot limit "${tool}" with --max-tool: the server does not list this tool${nearest === undefined ? "" : ` (did you mean "${nearest}"?)`}`,
  lockEstimatorKept: (file: string, locked: string, current: string) =>
    `Cannot write the lock "${file}": it was counted with ${locked}, but this run uses ${current}; pass --tokenizer ${locked}, or --force to replace it`,
  lockEstimator: (file: string, locked: string, current: string) =>
    `Cannot compare with the lock "${file}": it was counted with ${locked}, but this run uses ${current}; pass --tokenizer ${locked}`,
  lockThresholds: (file: string, locked: string, current: string) =>
    `Cannot compare with the lock "${file}": its risk thresholds are ${locked}, but this run uses ${current}; pass --risk ${locked}, or rewrite the lock`,
  listWithoutTools: () => `The server lists no tools, so there is nothing to compare`,
  listEmpty: (tools: number) =>
    `Cannot compare with the lock: the server lists no tools, but the lock has ${tools}; an empty list does not count as a removal`,
} as const;
