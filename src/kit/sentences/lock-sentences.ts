import { counted, inWords } from "../error-words.ts";

const writeIt = `write it with "mcp-meter lock -- <command>", or "mcp-meter lock --url <url>"`;

export const lockSentences = {
  lockMissing: (file: string) => `Cannot find the lock "${file}"; ${writeIt}`,
  lockMissingInCheck: (file: string) =>
    `Cannot find the lock "${file}"; ${writeIt}; or pass --no-lock to check limits and calls only`,
  growthUnmeasured: (file: string) =>
    `Cannot measure --max-increase: there is no lock "${file}" of this tokenizer to measure it from; leave it out until the lock is written`,
  growthUnmeasuredFromBase: (file: string, base: string) =>
    `Cannot measure --max-increase: "${base}" has no lock "${file}"; pass the earlier lock as --base FILE if it was moved, or leave --max-increase out of the check that adds the first lock`,
  limitUnmatched: (tool: string, nearest: string | undefined) =>
    `Cannot limit "${tool}" by --max-tool: the server does not list this tool${nearest === undefined ? "" : ` (did you mean "${nearest}"?)`}`,
  lockConflicted: (file: string) =>
    `Cannot read the lock "${file}": it has the conflict markers of a git merge; resolve them, or write it again with "mcp-meter lock --force"`,
  lockDeleted: (file: string, base: string) =>
    `Cannot find the lock "${file}", which "${base}" has; restore it, or ${writeIt}`,
  baseFileMissing: (file: string) =>
    `Cannot find the base "${file}": no such file; name a lock or a git revision`,
  revisionMissing: (base: string, isShallow: boolean) =>
    isShallow
      ? `Cannot find the git revision "${base}" in this shallow clone; fetch it first, as in "git fetch --depth=1 origin main", or check out with fetch-depth: 0`
      : `Cannot find the git revision "${base}"; fetch it first, as in "git fetch origin main", or name a file as ./FILE`,
  revisionUnreadable: (base: string, reason: string) =>
    `Cannot read the lock of "${base}": ${inWords(reason)}; fetch the revision whole, as with fetch-depth: 0, or name a file as ./FILE`,
  repositoryMissing: (base: string) =>
    `Cannot read the lock of "${base}": the lock's folder is not in a git repository; run it in a checkout, or name a file as ./FILE`,
  repositoryOfOthers: (base: string) =>
    `Cannot read the lock of "${base}": git does not trust the repository, which belongs to another user; add its path with "git config --global --add safe.directory PATH", or name a file as ./FILE`,
  baseMalformed: (base: string, fault: string) =>
    `Cannot read the lock of the base "${base}": ${inWords(fault)}; name a base with a lock that can be read`,
  gitMissing: (base: string) =>
    `Cannot read the lock of "${base}": git is not on the PATH; install it, or name a file as ./FILE`,
  lockEstimatorKept: (file: string, locked: string, asked: string) =>
    `Cannot write the lock "${file}": it was counted with ${locked}, this run counts with ${asked}; pass --tokenizer ${locked}, or --force to change it`,
  lockMalformed: (file: string, fault: string) =>
    `Cannot read the lock "${file}": ${inWords(fault)}; repair it, or remove it and write a new one`,
  answersUnused: (answers: number, file: string) =>
    `Dropped ${counted(answers, "recorded answer")} from the lock "${file}": no call of the calls file uses ${answers === 1 ? "it" : "them"}`,
  answersDropped: (answers: number, file: string) =>
    `Dropped ${counted(answers, "recorded answer")} from the lock "${file}"; "mcp-meter check --calls FILE --update" records answers again`,
  lockUnwritable: (file: string, reason: string) =>
    `Cannot write the lock "${file}": ${inWords(reason)}`,
  lockSecret: (file: string) =>
    `Cannot write the lock "${file}": the server's definitions contain the value of a variable of the calls file; if it is not a secret, write the lock with "mcp-meter lock -- <command>" first`,
  lockHoldsHeader: (file: string) =>
    `Cannot write the lock "${file}": the server's definitions contain the value of a header or of the URL's query, which must not be in a file`,
  lockEstimator: (file: string, locked: string, asked: string) =>
    `Cannot compare with the lock "${file}": it was counted with ${locked}, this run with ${asked}; pass --tokenizer ${locked}`,
  lockThresholds: (file: string, locked: string, asked: string) =>
    `Cannot compare with the lock "${file}": its risk thresholds are ${locked}, those of this run are ${asked}; pass --risk ${locked}, or write the lock again`,
  listWithoutTools: () => `The server lists no tools: there is nothing to compare`,
  listEmpty: (tools: number) =>
    `Cannot compare with the lock: the server lists no tools, the lock has ${tools}; an empty list does not count as their removal`,
  definitionDrifted: (tool: string, detail: string) =>
    `Tool "${tool}" differs from the lock: ${detail}`,
} as const;
