export {
  lineObservedBytesMax,
  nameCharactersMax,
  nestingMax,
  openCallsMax,
  recordFlushMaxMs,
  toolRowsMax,
  toolsListedMax,
} from "#kit/limits.ts";
export { throttleWaitMaxMs } from "#meter/budgets/held-requests.ts";
export { countingSliceCharacters } from "#meter/limits.ts";
export { backlogBytesMax, waitingRecordBytes } from "#meter/session/recorder.ts";
export { summaryRowsMax } from "#screens/limits.ts";
export { stepSummaryBytesMax, stepSummaryNoteBytesMax } from "#screens/renderers/step-summary.ts";
export { holdMaxMs, holdRenewalMs } from "#state/limits.ts";
export { recordQueueBytesMax, recordWriteBytesMax } from "#state/sinks/file.ts";
export { recordGatherMs } from "#state/storage/record-file.ts";
export { overheadCharactersMax, overheadCharactersMin } from "#tokens/limits.ts";
export { judgeDelayMs, promptDelayMs } from "#transport/forwarder/wake-up.ts";
export { countingAtExitMaxMs, ringBytes, spoolBytes } from "#transport/limits.ts";
export { garbageBytesMax, lineGarbageBytes } from "#transport/proxy/garbage.ts";
export { unprocessedBytesMax } from "#transport/proxy/line-scheduler.ts";
export { groupExitMaxMs, killAfterTermMs } from "#transport/proxy/signals.ts";
export { checkpointCatchUpMaxMs, threadStartMaxMs } from "#transport/proxy/thread-forwarding.ts";
export { lineTrustedBytesMax, skimTextBytesMax } from "#wire/limits.ts";
export { crumbBytesMax, crumbsBytes } from "#wire/line.ts";
export { batchItemsMax, structuresMax } from "#wire/parse-message.ts";
