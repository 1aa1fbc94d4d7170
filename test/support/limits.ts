export { toolRowsMax } from "#records/tool-rows.ts";
export { summaryRowsMax } from "#screens/renderers/documents/shared-texts.ts";
export { countingSliceCharacters } from "#meter/session/charge.ts";
export { nestingMax } from "#wire/json.ts";
export { listEntriesMax } from "#tokens/cost/tool-list.ts";
export { openCallsMax } from "#wire/pair-answers.ts";
export { lineObservedBytesMax, nameCharactersMax } from "#kit/limits.ts";
export { throttleWaitMaxMs } from "#meter/actions/throttle.ts";
export {
  repeatNoteAgeMaxMs,
  repeatNoteCallsMax,
  repeatNoteSavedTokensMin,
  repeatNoteTokensMax,
} from "#meter/budgets/repeats.ts";
export { backlogBytesMax } from "#meter/session/recorder.ts";
export { recordQueueBytesMax, recordFlushMaxMs } from "#state/sinks/record-queue.ts";
export { recordGatherMs } from "#state/storage/record-file.ts";
export { ringBytes, spoolBytes } from "#transport/forwarder/shared-memory.ts";
export { judgeDelayMs, promptDelayMs } from "#transport/forwarder/thread.ts";
export { garbageBytesMax, lineGarbageBytes } from "#transport/proxy/observer.ts";
export { unprocessedBytesMax, countingAtExitMaxMs } from "#transport/proxy/judge.ts";
export { saveCatchUpMaxMs, threadStartMaxMs } from "#transport/proxy/thread-forwarding.ts";
export { lineTrustedBytesMax } from "#wire/line.ts";
export { batchItemsMax, structuresMax } from "#wire/parse-message.ts";
