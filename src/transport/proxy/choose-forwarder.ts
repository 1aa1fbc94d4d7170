import type { Child } from "#kit/os/child.ts";
import type { LazyJudge } from "./judge.ts";
import { forwardByPump, type Forwarding, type ForwardingContext } from "./pump-forwarding.ts";

export type ForwarderChoice = {
  readonly mayUseThread: boolean;
  readonly platform: string;
};

// The thread forwards bytes before they are judged, so it can hold no line. It needs Linux.
export function choosesThread(
  { mayUseThread, platform }: ForwarderChoice,
  { isGating }: Pick<LazyJudge, "isGating">,
): boolean {
  return mayUseThread && !isGating && platform === "linux";
}

// Where the thread cannot start, the pump forwards.
export async function startForwarding(
  child: Child,
  context: ForwardingContext,
  isThreadChosen: boolean,
): Promise<Forwarding> {
  const thread = isThreadChosen ? await forwardByThread(child, context) : undefined;
  return thread ?? forwardByPump(child.streams(), context);
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
