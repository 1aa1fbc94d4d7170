import type { Ending, Io } from "#kit/io.ts";
import { rejectDirectoryAsStdin } from "#kit/os/stdin.ts";
import { interpose } from "#transport/proxy/interpose.ts";
import { LateJudge } from "#transport/proxy/late-judge.ts";
import { RecordedCalls } from "#state/storage/recorded-calls.ts";
import { scratchPaths } from "#state/storage/scratch-paths.ts";
import { Teller } from "#kit/text/teller.ts";
import { RecordingJudge } from "./recording-judge.ts";
import type { RecordOptions } from "./options.ts";
import { recordSentences } from "./sentences.ts";

export async function record({ command, file }: RecordOptions, io: Io): Promise<Ending> {
  const { tell } = new Teller(io.stderr);
  rejectDirectoryAsStdin();
  const calls = RecordedCalls.open(file, tell);
  tell(recordSentences.recordingCalls(file));
  const recorder = new RecordingJudge(calls, tell);
  const judge = new LateJudge({
    open: async () => recorder,
    isGating: false,
    failed: () => undefined,
  });
  const world = { ...io, scratch: scratchPaths(io.env), mayUseThread: false };
  const ending = await interpose(command, judge, world);
  recorder.finish();
  await calls.finish();
  tell(recordSentences.callsRecorded(calls.written, file, calls.left + recorder.left));
  if (recorder.inexact > 0) tell(recordSentences.callsInexact(recorder.inexact));
  return ending;
}
