import type { Ending, Io } from "#kit/io.ts";
import { type Child, readEnding, spawnChild } from "#kit/os/child.ts";
import { DeliveryDeadline } from "./leaving-deadline.ts";
import type { LazyJudge } from "./judge.ts";
import type { Forwarding, ForwardingContext } from "./pump-forwarding.ts";
import type { ScratchPaths } from "#state/storage/scratch-paths.ts";
import { forwardSignals } from "./server-signals.ts";

type ForwarderChoice = {
  readonly mayUseThread: boolean;
  readonly platform: string;
};

type InterposeIo = Pick<Io, "signals" | "pid" | "platform"> &
  ForwarderChoice & { readonly scratch: ScratchPaths };

/** Resolves with the server's exit code or signal. Rejects if the server cannot be started or our code fails. */
export async function interpose(
  command: readonly string[],
  judge: LazyJudge,
  io: InterposeIo,
): Promise<Ending> {
  const deadline = new DeliveryDeadline();
  let saveNow = (): void => judge.saveNow();
  const signals = forwardSignals(io, () => {
    deadline.noteSignal();
    saveNow();
  });
  try {
    const isThreadChosen = choosesThread(io, judge);
    const clientFds = { stdin: 0, stdout: 1 };
    const child = spawnChild(command, io.platform, { clientFds, needsEnds: isThreadChosen });
    signals.attach(child.subprocess);
    // If the judge is gating, bytes wait in the pipes until it is ready.
    await judge.whenReady();
    const context = { judge, deadline, scratch: io.scratch };
    const forwarding = await startForwarding(child, context, isThreadChosen);
    saveNow = () => forwarding.saveNow();
    await waitForEnd(child, forwarding, { deadline, judge });
    return readEnding(child);
  } finally {
    deadline.stop();
    signals.release();
  }
}

// The thread forwards bytes before they are judged, so it cannot hold lines back for a gating judge.
function choosesThread(
  { mayUseThread, platform }: ForwarderChoice,
  { isGating }: Pick<LazyJudge, "isGating">,
): boolean {
  return mayUseThread && !isGating && platform === "linux";
}

async function startForwarding(
  child: Child,
  context: ForwardingContext,
  isThreadChosen: boolean,
): Promise<Forwarding> {
  const thread = isThreadChosen ? await forwardByThread(child, context) : undefined;
  if (thread) return thread;
  const { forwardByPump } = await import("./pump-forwarding.ts");
  return forwardByPump(child.streams(), context);
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
  { deadline, judge }: Pick<ForwardingContext, "deadline" | "judge">,
): Promise<void> {
  const gaveUp = Promise.withResolvers<void>();
  try {
    await Promise.race([child.subprocess.exited, forwarding.failed]);
    deadline.noteExit((isSignaled) => {
      judge.giveUp();
      forwarding.giveUp();
      // After a signal, we stop waiting for the end of output: a process that the server left behind may write forever.
      if (isSignaled) gaveUp.resolve();
    });
    const { serverOutputEnded, failed } = forwarding;
    await Promise.race([serverOutputEnded, forwarding.waitForSilence(), failed, gaveUp.promise]);
    await forwarding.finish();
    judge.countUntil(deadline.endMs);
  } catch (error) {
    // If we stop forwarding, the server may wait forever for input.
    child.subprocess.kill("SIGKILL");
    throw error;
  }
}
