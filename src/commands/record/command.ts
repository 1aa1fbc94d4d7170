import type { Ending, Io } from "#kit/io.ts";
import { rejectDirectoryAsStdin } from "#kit/os/standard-streams.ts";
import { interpose } from "#transport/proxy/interpose.ts";
import { LazyJudge, passingJudge, type Judge } from "#transport/proxy/judge.ts";
import { RecordedCalls } from "#state/storage/calls-file.ts";
import { makeScratchPaths } from "#state/storage/scratch-paths.ts";
import { Teller, type Tell } from "#kit/text/teller.ts";
import { nameError } from "#kit/errors.ts";
import { pluralize, formatCount } from "#kit/text/numbers.ts";
import { CallRecorder, type RecordedCall } from "#check/call-recorder.ts";
import { parseMessage } from "#wire/parse-message.ts";

export type RecordOptions = { readonly command: readonly string[]; readonly file: string };

export async function record({ command, file }: RecordOptions, io: Io): Promise<Ending> {
  const { tell } = new Teller(io.stderr);
  rejectDirectoryAsStdin();
  const calls = RecordedCalls.open(file, tell);
  tell(recordSentences.recordingCalls(file));
  const recorder = new RecordingJudge(calls, tell);
  const judge = new LazyJudge({
    open: async () => recorder.judge,
    isGating: false,
    failed: () => undefined,
  });
  const world = { ...io, scratch: makeScratchPaths(io.env), mayUseThread: false };
  const ending = await interpose(command, judge, world);
  recorder.finish();
  await calls.finish();
  tell(recordSentences.callsRecorded(calls.written, file, calls.leftOut + recorder.leftOutCalls));
  if (recorder.inexactCalls > 0) tell(recordSentences.callsInexact(recorder.inexactCalls));
  return ending;
}

/** A fault ends the recording, not the traffic. */
export class RecordingJudge {
  readonly #recorder = new CallRecorder();
  readonly #calls: Pick<RecordedCalls, "add">;
  readonly #tell: Tell;
  #hasFailed = false;

  constructor(calls: Pick<RecordedCalls, "add">, tell: Tell) {
    this.#calls = calls;
    this.#tell = tell;
  }

  readonly judge: Judge = {
    ...passingJudge,
    judgeLine: (from, line) => {
      const decode = (): string => new TextDecoder().decode(line.bytes);
      this.#record(() => this.#recorder.take(from, parseMessage(line), decode));
      return true;
    },
  };

  get leftOutCalls(): number {
    return this.#recorder.leftOut;
  }

  get inexactCalls(): number {
    return this.#recorder.inexactCalls;
  }

  finish(): void {
    this.#record(() => this.#recorder.finish());
  }

  #record(takeCalls: () => readonly RecordedCall[]): void {
    if (this.#hasFailed) return;
    try {
      for (const call of takeCalls()) this.#calls.add(call);
    } catch (error) {
      this.#hasFailed = true;
      this.#tell(recordSentences.recordingFailed(nameError(error)));
    }
  }
}

const recordSentences = {
  recordingCalls: (file: string) =>
    `Recording calls and their arguments to "${file}"; the arguments may contain secrets`,
  recordingFailed: (what: string) =>
    `Recording a call failed (${what}); traffic continues, but no more calls are recorded`,
  callsRecorded: (written: number, file: string, leftOut: number) =>
    `Recorded ${pluralize(written, "call")} in "${file}"` +
    (leftOut === 0 ? "" : `, and left out ${formatCount(leftOut)} that could not be recorded`),
  callsInexact: (calls: number) =>
    `Left out ${pluralize(calls, "call")} containing a number that a calls file cannot hold exactly`,
} as const;
