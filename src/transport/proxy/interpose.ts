import type { Ending, Io } from "#kit/io.ts";
import { type Child, readEnding, spawnChild } from "#kit/os/child.ts";
import { type Forwarding, Goodbye } from "./forwarding.ts";
import type { LateJudge } from "./judge.ts";
import { forwardByPump, type ForwardingContext } from "./pump-forwarding.ts";
import type { ScratchPaths } from "#state/storage/scratch-paths.ts";
import { forwardSignals } from "./signals.ts";

type InterposeIo = Pick<Io, "signals" | "pid" | "platform"> & {
  readonly scratch: ScratchPaths;
  readonly mayUseThread: boolean;
};

/** Resolves with how the server ended; rejects if we fail ourselves, after killing the server. */
export async function interpose(
  command: readonly string[],
  judge: LateJudge,
  io: InterposeIo,
): Promise<Ending> {
  const goodbye = new Goodbye();
  let interrupted = (): void => judge.interrupted();
  const signals = forwardSignals(io, () => {
    goodbye.signaled();
    interrupted();
  });
  try {
    const usesThread = io.mayUseThread && !judge.isGating && io.platform === "linux";
    const like = { stdin: 0, stdout: 1 };
    const child = spawnChild(command, io.platform, { like, needsEnds: usesThread });
    signals.to(child.subprocess);
    // Bytes wait in the pipes meanwhile.
    await judge.ready();
    const context = { judge, goodbye, scratch: io.scratch };
    const thread = usesThread ? await forwardByThread(child, context) : undefined;
    const forwarding = thread ?? forwardByPump(child.streams(), context);
    interrupted = () => forwarding.interrupted();
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
  const cut = Promise.withResolvers<void>();
  try {
    // A direction only fails because of a bug, and then forwards no more.
    await Promise.race([child.subprocess.exited, forwarding.failed]);
    goodbye.exited((isSignaled) => {
      judge.giveUp();
      forwarding.giveUp();
      // A process left behind by the server may write forever.
      if (isSignaled) cut.resolve();
    });
    const { moved, failed } = forwarding;
    await Promise.race([moved, forwarding.waitForSilence(goodbye), failed, cut.promise]);
    await forwarding.finish();
    judge.countUntil(goodbye.endMs);
  } catch (error) {
    child.subprocess.kill("SIGKILL");
    throw error;
  }
}
