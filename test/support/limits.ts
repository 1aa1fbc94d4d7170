export {
  lineObservedBytesMax,
  nameCharactersMax,
  nestingMax,
  openCallsMax,
  recordFlushMaxMs,
  toolRowsMax,
  toolsListedMax,
} from "#kit/limits.ts";
export { throttleWaitMaxMs } from "#meter/budgets/request-decision.ts";
export { countingSliceCharacters } from "#meter/limits.ts";
export { backlogBytesMax } from "#meter/session/recorder.ts";
export { summaryRowsMax } from "#screens/limits.ts";
export { recordQueueBytesMax } from "#state/sinks/file-sink.ts";
export { recordGatherMs } from "#state/storage/record-file.ts";
export { ringBytes } from "#transport/forwarder/shared-memory.ts";
export { judgeDelayMs, promptDelayMs } from "#transport/forwarder/thread.ts";
export { countingAtExitMaxMs, spoolBytes } from "#transport/limits.ts";
export { garbageBytesMax, lineGarbageBytes } from "#transport/proxy/observer.ts";
export { unprocessedBytesMax } from "#transport/proxy/judge.ts";
export { saveCatchUpMaxMs, threadStartMaxMs } from "#transport/proxy/thread-forwarding.ts";
export { lineTrustedBytesMax } from "#wire/line.ts";
export { batchItemsMax, structuresMax } from "#wire/parse-message.ts";
