import type { Ending, Io } from "#kit/io.ts";
import { type Child, childEnding, spawnChild } from "#kit/os/child.ts";
import type { Forwarding } from "./forwarding.ts";
import { Goodbye } from "./goodbye.ts";
import type { LateJudge } from "./late-judge.ts";
import { forwardByPump, type ForwardingParts } from "./pump-forwarding.ts";
import { forwardSignals } from "./signals.ts";
import type { ScratchPaths } from "#state/storage/scratch-paths.ts";

export type InterposeIo = Pick<Io, "signals" | "pid" | "platform"> & {
  readonly scratch: ScratchPaths;
  readonly mayUseThread: boolean;
};

/** Resolves with how the server ended; rejects when we fail ourselves, after the server was killed. */
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
    const parts = { judge, goodbye, scratch: io.scratch };
    const thread = usesThread ? await forwardByThread(child, parts) : undefined;
    const forwarding = thread ?? forwardByPump(child.streams(), parts);
    interrupted = () => forwarding.interrupted();
    await untilEnd(child, forwarding, { goodbye, judge });
    return childEnding(child);
  } finally {
    goodbye.stop();
    signals.release();
  }
}

async function forwardByThread(
  child: Child,
  parts: ForwardingParts,
): Promise<Forwarding | undefined> {
  const { startForwardingThread } = await import("./thread-forwarding.ts");
  const thread = startForwardingThread(child, parts);
  if (!thread) return undefined;
  void child.subprocess.exited.then(() => thread.abandon());
  return thread.begun;
}

/** Forwards both ways until the server has exited and its output is drained, or is silent. */
async function untilEnd(
  child: Child,
  forwarding: Forwarding,
  { goodbye, judge }: Pick<ForwardingParts, "goodbye" | "judge">,
): Promise<void> {
  const cut = Promise.withResolvers<void>();
  try {
    // A direction fails only by our own fault, and then it would forward no more.
    await Promise.race([child.subprocess.exited, forwarding.failed]);
    goodbye.exited((isSignaled) => {
      judge.giveUp();
      forwarding.giveUp();
      // Something that the server left behind may write without end.
      if (isSignaled) cut.resolve();
    });
    const { moved, failed } = forwarding;
    await Promise.race([moved, forwarding.silence(goodbye), failed, cut.promise]);
    await forwarding.finish();
    judge.countUntil(goodbye.endMs);
  } catch (error) {
    child.subprocess.kill("SIGKILL");
    throw error;
  }
}
