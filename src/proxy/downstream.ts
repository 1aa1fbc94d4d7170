import { silenceAfterExitMs, silenceCheckMs, unreadAfterSignalMaxMs } from "#limits.ts";
import type { ChunkReader } from "#os/child.ts";
import { enlargePipe } from "#os/pipe.ts";
import { closeQuietly } from "./close-quietly.ts";
import type { Goodbye } from "./goodbye.ts";
import type { Lane } from "./lane.ts";
import type { Outbox } from "./outbox.ts";
import { pump } from "./pump.ts";
import type { LineScheduler } from "./line-scheduler.ts";

/** The parts of the downward direction. */
export type DownstreamParts = {
  /** The server's stdout. */
  readonly source: ChunkReader;
  readonly lane: Lane;
  /** To our stdout. */
  readonly outbox: Outbox;
  readonly scheduler: LineScheduler;
};

/** Moves bytes from the server to our stdout, and knows since when the server is silent. */
export class Downstream {
  readonly #parts: DownstreamParts;
  #lastBytesMs = performance.now();
  #isDelivering = false;

  constructor(parts: DownstreamParts) {
    this.#parts = parts;
  }

  /** Resolves when the server has closed its stdout, or the client reads no more. */
  async move(): Promise<void> {
    const { source, lane, outbox, scheduler } = this.#parts;
    const sink = {
      push: async (chunk: Uint8Array): Promise<void> => {
        this.#isDelivering = true;
        await lane.push(chunk);
        this.#isDelivering = false;
        this.#lastBytesMs = performance.now();
      },
      end: () => lane.end(),
    };
    await pump(source, sink, scheduler, () => outbox.isBroken);
    // The client reads no more: the server gets SIGPIPE from its next write, as it would alone.
    if (outbox.isBroken) await source.cancel().catch(() => undefined);
    await outbox.end();
    closeQuietly(1);
  }

  /**
   * Resolves when nothing has arrived for a while and the client has taken everything, or when a client that is
   * leaving has taken nothing for as long as it is waited for. The rest then stays in the pipe, where a client
   * that is only slow still finds it.
   */
  async silence(goodbye: Pick<Goodbye, "patienceMs">): Promise<void> {
    await this.#quiet(() => (this.#isDelivering ? goodbye.patienceMs : silenceAfterExitMs));
    if (!this.#isDelivering) return;
    enlargePipe(1);
    await this.#quiet(() => (this.#isDelivering ? unreadAfterSignalMaxMs : silenceAfterExitMs));
  }

  /** Resolves when no bytes have moved for as long as `patience` says, in milliseconds. */
  async #quiet(patience: () => number): Promise<void> {
    this.#lastBytesMs = performance.now();
    for (;;) {
      const quietMs = performance.now() - this.#lastBytesMs;
      const patienceMs = patience();
      if (quietMs >= patienceMs) return;
      await Bun.sleep(Math.min(patienceMs - quietMs + 1, silenceCheckMs));
    }
  }
}
