import { closeQuietly } from "#os/close-quietly.ts";
import { openStdin } from "#os/stdin.ts";
import type { Lane } from "./lane.ts";
import type { Outbox } from "./outbox.ts";
import { pump } from "./pump.ts";
import type { LineScheduler } from "./line-scheduler.ts";

/** Where the client's bytes go through, and what to do between them. */
export type UpstreamParts = {
  readonly lane: Lane;
  /** To the server's stdin. */
  readonly outbox: Outbox;
  readonly scheduler: LineScheduler;
  /** The last refusal that the client has not read yet; undefined when it has read all. */
  readonly unreadRefusal: () => Promise<void> | undefined;
  /** The decisions that are waited for; undefined for none. */
  readonly waiting: () => Promise<void> | undefined;
  /** Called when the client has closed its end. */
  readonly eof: () => void;
};

/** Moves bytes from our stdin to the server until either ends. */
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
