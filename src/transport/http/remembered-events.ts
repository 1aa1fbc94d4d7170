import { sha256 } from "#kit/os/sha256.ts";
import type { ServerEvent } from "#wire/endpoint/event-reader.ts";
import { insteadOf, type MessageVerdict } from "./verdict.ts";

// The newest, to recognise events that a resumed stream repeats.
export const eventIdsMax = 1_000;

// For a resumed stream: some thousand refusals, or a few shortened answers.
export const rememberedBytesMax = 4 * 1024 * 1024;

type Remembered = {
  readonly hash: string;
  readonly verdict: MessageVerdict | Promise<MessageVerdict>;
  bytes: number;
};

/** The newest events of a conversation, with their verdicts: a resumed stream brings them once more. A verdict with long lines makes older ones forgotten. */
export class RememberedEvents {
  readonly #events = new Map<string, Remembered>();
  #bytes = 0;

  /** The verdict on this very event, on any stream; undefined for one that was not remembered. */
  find({ id, line }: ServerEvent): MessageVerdict | Promise<MessageVerdict> | undefined {
    if (id === undefined || id === "" || !line.bytes) return undefined;
    const known = this.#events.get(id);
    return known?.hash === sha256(line.bytes) ? known.verdict : undefined;
  }

  add({ id, line }: ServerEvent, verdict: MessageVerdict | Promise<MessageVerdict>): void {
    if (id === undefined || id === "" || !line.bytes) return;
    this.#forget(id);
    const added: Remembered = { hash: sha256(line.bytes), verdict, bytes: 0 };
    this.#events.set(id, added);
    if (verdict instanceof Promise) void verdict.then((known) => this.#weigh(id, added, known));
    else this.#weigh(id, added, verdict);
  }

  /** Adds the bytes of its verdict, which may be known later. */
  #weigh(id: string, added: Remembered, verdict: MessageVerdict): void {
    if (this.#events.get(id) !== added) return;
    added.bytes = verdict.passes ? 0 : (insteadOf(verdict)?.length ?? 0);
    this.#bytes += added.bytes;
    while (this.#events.size > eventIdsMax || this.#bytes > rememberedBytesMax) {
      const [oldest] = this.#events.keys();
      if (oldest === undefined) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#bytes -= this.#events.get(id)?.bytes ?? 0;
    this.#events.delete(id);
  }
}
