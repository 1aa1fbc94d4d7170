import type { Ending, Io } from "#kit/io.ts";
import { type Child, readEnding, spawnChild } from "#kit/os/child.ts";
import { choosesThread, type ForwarderChoice, startForwarding } from "./choose-forwarder.ts";
import { DeliveryDeadline } from "./delivery-deadline.ts";
import type { LazyJudge } from "./judge.ts";
import type { Forwarding, ForwardingContext } from "./pump-forwarding.ts";
import type { ScratchPaths } from "#state/storage/scratch-paths.ts";
import { forwardSignals } from "./server-signals.ts";

type InterposeIo = Pick<Io, "signals" | "pid" | "platform"> &
  ForwarderChoice & { readonly scratch: ScratchPaths };

/** Resolves with how the server ended; rejects if we fail ourselves, after killing the server. */
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
    // Meanwhile, bytes wait in the pipes.
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

async function waitForEnd(
  child: Child,
  forwarding: Forwarding,
  { deadline, judge }: Pick<ForwardingContext, "deadline" | "judge">,
): Promise<void> {
  const gaveUp = Promise.withResolvers<void>();
  try {
    // A direction fails only because of a bug, and then forwards nothing more.
    await Promise.race([child.subprocess.exited, forwarding.failed]);
    deadline.noteExit((isSignaled) => {
      judge.giveUp();
      forwarding.giveUp();
      // A process left behind by the server may write forever.
      if (isSignaled) gaveUp.resolve();
    });
    const { serverOutputEnded, failed } = forwarding;
    await Promise.race([serverOutputEnded, forwarding.waitForSilence(), failed, gaveUp.promise]);
    await forwarding.finish();
    judge.countUntil(deadline.endMs);
  } catch (error) {
    child.subprocess.kill("SIGKILL");
    throw error;
  }
}
