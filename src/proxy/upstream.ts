import { closeQuietly } from "#os/close-quietly.ts";
import { openStdin } from "#os/stdin.ts";
import type { Lane } from "./lane.ts";
import type { Outbox } from "./outbox.ts";
import { pump } from "./pump.ts";
import type { LineScheduler } from "./line-scheduler.ts";

export type UpstreamParts = {
  readonly lane: Lane;
  readonly outbox: Outbox;
  readonly scheduler: LineScheduler;
  readonly unreadRefusal: () => Promise<void> | undefined;
  readonly waiting: () => Promise<void> | undefined;
  readonly eof: () => void;
};

export async function moveUp(parts: UpstreamParts): Promise<void> {
  const { lane, outbox, scheduler, unreadRefusal, waiting, eof } = parts;
  const source = openStdin();
  const sink = {
    // A client that sends faster than it reads its refusals has to wait.
    push: async (chunk: Uint8Array): Promise<void> => {
      await lane.push(chunk);
      await unreadRefusal();
    },
    end: () => lane.end(),
  };
  await pump(source, sink, scheduler, () => outbox.isBroken);
  await waiting();
  eof();
  // Held requests are decided now.
  await waiting();
  if (outbox.isBroken) closeQuietly(0);
  await outbox.end();
}
