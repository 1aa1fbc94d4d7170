import { describeReason, formatSuggestion } from "#kit/sentences.ts";

export const storageSentences = {
  globEmpty: (pattern: string) => `Cannot read "${pattern}": no file matches`,
  calibrationMalformed: (file: string, reason: string) =>
    `Cannot read the calibration in "${file}": ${describeReason(reason)}`,
  calibrationUnwritable: (file: string, reason: string) =>
    `Cannot write the calibration to "${file}": ${describeReason(reason)}`,
  baseFileMissing: (file: string) =>
    `Cannot find the base "${file}": no such file; pass a lock file or a git revision`,
  revisionMissing: (base: string, isShallow: boolean) =>
    isShallow
      ? `Cannot find the git revision "${base}" in this shallow clone; fetch it first, as in "git fetch --depth=1 origin main", or check out with fetch-depth: 0`
      : `Cannot find the git revision "${base}"; fetch it first, as in "git fetch origin main", or pass a file as ./FILE`,
  revisionUnreadable: (base: string, reason: string) =>
    `Cannot read the lock of "${base}": ${describeReason(reason)}; fetch the complete revision (in CI, with fetch-depth: 0), or pass a file as ./FILE`,
  repositoryMissing: (base: string) =>
    `Cannot read the lock of "${base}": the lock's folder is not in a git repository; run mcp-meter in a checkout, or pass a file as ./FILE`,
  repositoryUntrusted: (base: string) =>
    `Cannot read the lock of "${base}": git does not trust the repository, which belongs to another user; add its path with "git config --global --add safe.directory PATH", or pass a file as ./FILE`,
  baseMalformed: (base: string, fault: string) =>
    `Cannot read the lock of the base "${base}": ${describeReason(fault)}; pass a base with a readable lock`,
  gitMissing: (base: string) =>
    `Cannot read the lock of "${base}": git is not on the PATH; install it, or pass a file as ./FILE`,
  lockMalformed: (file: string, fault: string) =>
    `Cannot read the lock "${file}": ${describeReason(fault)}; repair it, or remove it and write a new one`,
  lockUnwritable: (file: string, reason: string) =>
    `Cannot write the lock "${file}": ${describeReason(reason)}`,
  recordsCompressed: (file: string) =>
    `Cannot read ${file === "-" ? "stdin" : `"${file}"`}: it is compressed; decompress it first, with gzip or zstd, as in gzip -dc FILE | mcp-meter report -`,
  pricesMalformed: (file: string, reason: string) =>
    `Cannot read the prices in "${file}": ${describeReason(reason)}`,
  callsMalformed: (file: string, line: number, column: number, fault: string) =>
    `${file}:${line}:${column}: ${fault}`,
  callsUnwritable: (file: string, reason: string) =>
    `Cannot record calls in "${file}": ${describeReason(reason)}`,
  callsUnrecorded: (file: string, reason: string) =>
    `Cannot record further calls in "${file}": ${describeReason(reason)}; traffic continues`,
  recordingModeChanged: (file: string) =>
    `Changed the mode of "${file}" to 0600: recorded calls may hold secrets`,
  stateHomeMissing: () => `Cannot find the records: set HOME or XDG_STATE_HOME`,
  homeMissing: () => `Cannot keep records: set HOME or XDG_STATE_HOME, or pass --log FILE`,
  stateFolderOccupied: (folder: string, blocking: string) =>
    `Cannot use the state folder "${folder}": ${blocking === folder ? "it" : `"${blocking}"`} is a file; rename or remove it`,
  logNotRegular: (file: string, kind: string) =>
    `Cannot write records to "${file}": it is a ${kind}, not a regular file`,
  logUnwritable: (file: string, reason: string) =>
    `Cannot write records to "${file}": ${describeReason(reason)}`,
  spillFolderUnwritable: (folder: string, reason: string) =>
    `Cannot save answers in "${folder}": ${describeReason(reason)}; choose another folder with --spill-dir`,
  spillFailed: (reason: string) =>
    `Cannot save an answer (${describeReason(reason)}); over-budget answers are withheld instead`,
  profileMalformed: (file: string, fault: string, target: string) =>
    `Cannot read the profile "${file}": ${fault}; write one with "mcp-meter profile --json ${target}"`,
} as const;

export const configFaults = {
  foreignLock: () => '"locked" is allowed only in the system config',
  unknownLock: (name: string, nearest: string | undefined) =>
    `"locked" has "${name}", which cannot be locked${formatSuggestion(nearest)}`,
  foreignOwner: () => "it does not belong to root, so the file is ignored",
  foreignFolder: () => "its folder does not belong to root, so the file is ignored",
  writableFile: () => "other users can write to it, so the file is ignored",
  writableFolder: () => "other users can write to its folder, so the file is ignored",
} as const;

export const configSentences = {
  configMalformed: (file: string, reason: string) =>
    `Cannot read the config "${file}": ${describeReason(reason)}`,
} as const;
