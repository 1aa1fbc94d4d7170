import { closeSync } from "node:fs";
import type { Ending, Io } from "#io.ts";
import type { Side } from "#wire/exchange.ts";
import type { Line } from "#wire/line.ts";
import { type Child, endingOf, spawnChild } from "./child.ts";
import { openLane } from "./lane.ts";
import { Outbox } from "./outbox.ts";
import { pump } from "./pump.ts";
import { forwardSignals } from "./signals.ts";
import { Turns } from "./turns.ts";

/** Silence after the child's exit that ends a pipe which a grandchild still holds. */
const silenceAfterExitMs = 250;

/** Hears every line; never throws, never waits. */
export type Observe = (from: Side, line: Line) => void;

/**
 * Stands between our stdin and stdout and the wrapped server's until it exits: bytes in are bytes out,
 * either end may close first, and a reader that stops, stops the writer. Resolves with how it ended.
 */
export async function wrap(
  command: readonly string[],
  observe: Observe,
  io: Pick<Io, "signals" | "pid" | "platform">,
): Promise<Ending> {
  const child = spawnChild(command, io.platform);
  const release = forwardSignals(child, io);
  const turns = new Turns();
  void moveUp(child, turns, observe);
  const down = new Downstream(child, turns, observe);
  const moved = down.move();
  await child.exited;
  await Promise.race([moved, down.silence()]);
  release();
  return endingOf(child);
}

/** Client to server. */
async function moveUp(child: Child, turns: Turns, observe: Observe): Promise<void> {
  const outbox = new Outbox(child.stdin);
  const source = Bun.stdin.stream().getReader();
  const lane = openLane(outbox, turns, (line) => observe("client", line));
  await pump(source, lane, turns, () => outbox.isBroken);
  if (outbox.isBroken) closeQuietly(0);
  await outbox.end();
}

/** Server to client. */
class Downstream {
  readonly #child: Child;
  readonly #turns: Turns;
  readonly #observe: Observe;
  #heardMs = performance.now();
  #isDelivering = false;

  constructor(child: Child, turns: Turns, observe: Observe) {
    this.#child = child;
    this.#turns = turns;
    this.#observe = observe;
  }

  async move(): Promise<void> {
    // Not Bun.stdout: its writer keeps a duplicate of the descriptor open after its end.
    const outbox = new Outbox(Bun.file(1).writer());
    const source = this.#child.stdout.getReader();
    const lane = openLane(outbox, this.#turns, (line) => this.#observe("server", line));
    const timed = {
      push: async (chunk: Uint8Array): Promise<void> => {
        this.#isDelivering = true;
        await lane.push(chunk);
        this.#isDelivering = false;
        this.#heardMs = performance.now();
      },
      end: () => lane.end(),
    };
    await pump(source, timed, this.#turns, () => outbox.isBroken);
    // A client that reads no more: the server gets SIGPIPE from its next write, as it would alone.
    if (outbox.isBroken) await source.cancel().catch(() => undefined);
    await outbox.end();
    closeQuietly(1);
  }

  /** Resolves when nothing has come for a while and nothing waits to be taken by the client. */
  async silence(): Promise<void> {
    this.#heardMs = performance.now();
    for (;;) {
      const quietMs = performance.now() - this.#heardMs;
      if (!this.#isDelivering && quietMs >= silenceAfterExitMs) return;
      await Bun.sleep(this.#isDelivering ? silenceAfterExitMs : silenceAfterExitMs - quietMs + 1);
    }
  }
}

/** The other end learns at once that nobody reads or writes here any more. */
function closeQuietly(fd: number): void {
  try {
    closeSync(fd);
  } catch {
    // The runtime closed it already.
  }
}
