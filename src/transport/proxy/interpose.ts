import type { Ending, Io } from "#kit/io.ts";
import { type Child, readEnding, spawnChild } from "#kit/os/child.ts";
import { type Forwarding, Goodbye } from "./forwarding.ts";
import type { LazyJudge } from "./judge.ts";
import { forwardByPump, type ForwardingContext } from "./pump-forwarding.ts";
import type { ScratchPaths } from "#state/storage/scratch-paths.ts";
import { forwardSignals } from "./server-signals.ts";

type InterposeIo = Pick<Io, "signals" | "pid" | "platform"> & {
  readonly scratch: ScratchPaths;
  readonly mayUseThread: boolean;
};

/** Resolves with how the server ended; rejects if we fail ourselves, after killing the server. */
export async function interpose(
  command: readonly string[],
  judge: LazyJudge,
  io: InterposeIo,
): Promise<Ending> {
  const goodbye = new Goodbye();
  let saveNow = (): void => judge.saveNow();
  const signals = forwardSignals(io, () => {
    goodbye.noteSignal();
    saveNow();
  });
  try {
    const usesThread = io.mayUseThread && !judge.isGating && io.platform === "linux";
    const clientFds = { stdin: 0, stdout: 1 };
    const child = spawnChild(command, io.platform, { clientFds, needsEnds: usesThread });
    signals.attach(child.subprocess);
    // Meanwhile, bytes wait in the pipes.
    await judge.whenReady();
    const context = { judge, goodbye, scratch: io.scratch };
    const thread = usesThread ? await forwardByThread(child, context) : undefined;
    const forwarding = thread ?? forwardByPump(child.streams(), context);
    saveNow = () => forwarding.saveNow();
    await waitForEnd(child, forwarding, { goodbye, judge });
    return readEnding(child);
  } finally {
    goodbye.stop();
    signals.release();
  }
}

async function forwardByThread(
  child: Child,
  context: ForwardingContext,
): Promise<Forwarding | undefined> {
  const { startForwardingThread } = await import("./thread-forwarding.ts");
  const thread = startForwardingThread(child, context);
  if (!thread) return undefined;
  void child.subprocess.exited.then(() => thread.abandon());
  return thread.begun;
}

async function waitForEnd(
  child: Child,
  forwarding: Forwarding,
  { goodbye, judge }: Pick<ForwardingContext, "goodbye" | "judge">,
): Promise<void> {
  const givenUp = Promise.withResolvers<void>();
  try {
    // A direction fails only because of a bug, and then forwards nothing more.
    await Promise.race([child.subprocess.exited, forwarding.failed]);
    goodbye.noteExit((isSignaled) => {
      judge.giveUp();
      forwarding.giveUp();
      // A process left behind by the server may write forever.
      if (isSignaled) givenUp.resolve();
    });
    const { serverOutputEnded, failed } = forwarding;
    await Promise.race([
      serverOutputEnded,
      forwarding.waitForSilence(goodbye),
      failed,
      givenUp.promise,
    ]);
    await forwarding.finish();
    judge.countUntil(goodbye.endMs);
  } catch (error) {
    child.subprocess.kill("SIGKILL");
    throw error;
  }
}
