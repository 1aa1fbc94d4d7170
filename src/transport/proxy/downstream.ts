import type { ChunkReader } from "#kit/os/child.ts";
import { closeQuietly } from "#kit/os/close-quietly.ts";
import type { Lane } from "./lane.ts";
import type { Outbox } from "./outbox.ts";
import { pump } from "./pump.ts";
import type { DeliveryState } from "./silence.ts";
import type { LineScheduler } from "./line-scheduler.ts";

export type DownstreamParts = {
  readonly source: ChunkReader;
  readonly lane: Pick<Lane, "push" | "end">;
  readonly outbox: Outbox;
  readonly scheduler: LineScheduler;
  readonly waiting: () => Promise<void> | undefined;
};

export class Downstream {
  readonly #parts: DownstreamParts;
  #lastBytesMs = performance.now();
  #isDelivering = false;

  constructor(parts: DownstreamParts) {
    this.#parts = parts;
  }

  async move(): Promise<void> {
    const { source, lane, outbox, scheduler, waiting } = this.#parts;
    const sink = {
      push: (chunk: Uint8Array) => this.#deliver(() => lane.push(chunk)),
      // The rest of a line that was held is written now.
      end: () => this.#deliver(() => lane.end()),
    };
    await pump(source, sink, scheduler, () => outbox.isBroken);
    // The client reads no more: the server gets SIGPIPE from its next write, as it would alone.
    if (outbox.isBroken) await source.cancel().catch(() => undefined);
    await this.#deliver(waiting);
    await this.#deliver(() => outbox.end());
    closeQuietly(1);
  }

  async #deliver(act: () => Promise<void> | undefined): Promise<void> {
    this.#isDelivering = true;
    await act();
    this.#isDelivering = false;
    this.#lastBytesMs = performance.now();
  }

  get delivery(): DeliveryState {
    const { isWaiting, movedMs } = this.#parts.outbox;
    const waiting = isWaiting ? "waits-for-client" : "waits-for-judge";
    return {
      kind: this.#isDelivering ? waiting : "none",
      movedMs: Math.max(this.#lastBytesMs, movedMs),
    };
  }
}
