import type { Ending, Io } from "#io.ts";
import { type Child, childEnding, spawnChild } from "#os/child.ts";
import type { Forwarding } from "./forwarding.ts";
import { Goodbye } from "./goodbye.ts";
import type { LateJudge } from "./late-judge.ts";
import { forwardByPump, type ForwardingParts } from "./pump-forwarding.ts";
import { forwardSignals } from "./signals.ts";
import type { ScratchPaths } from "#storage/scratch-paths.ts";

/** The proxy's share of the world. */
export type InterposeIo = Pick<Io, "signals" | "pid" | "platform"> & {
  readonly scratch: ScratchPaths;
  /** False to forward without a thread of its own, also where that is possible. */
  readonly mayUseThread: boolean;
};

/**
 * Stands between our stdin and stdout and those of a server until it exits: bytes in are bytes out, either
 * end may close first, and a reader that stops, stops the writer. Resolves with how the server ended;
 * rejects when we fail ourselves, and then the server has been killed.
 */
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
    await untilEnd(child, forwarding, goodbye);
    return childEnding(child);
  } finally {
    signals.release();
  }
}

/** The forwarding by a thread of its own; undefined where it is not possible, or the server has exited before it began. */
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
async function untilEnd(child: Child, forwarding: Forwarding, goodbye: Goodbye): Promise<void> {
  try {
    // A direction fails only by our own fault, and then it would forward no more.
    await Promise.race([child.subprocess.exited, forwarding.failed]);
    await Promise.race([forwarding.moved, forwarding.silence(goodbye), forwarding.failed]);
    await forwarding.finish();
  } catch (error) {
    child.subprocess.kill("SIGKILL");
    throw error;
  }
}
