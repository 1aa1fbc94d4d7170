import { shortBodyBytesMax, shortBodyMaxMs } from "#limits/http.ts";
import type { BodySource } from "#http1/body-source.ts";
import { joinBytes } from "#wire/bytes.ts";

/** A body that came whole, or the source of all of it, which may have broken off by then. */
export type BegunBody =
  | { readonly kind: "whole"; readonly bytes: Uint8Array }
  | { readonly kind: "going" | "broken"; readonly source: BodySource };

/**
 * Waits a moment for the end of a short body. One that has come whole can leave in one write with its head, which is faster
 * than a stream; nothing of another one is lost.
 */
export async function beginBody(body: BodySource): Promise<BegunBody> {
  const { whole } = body;
  if (whole) return { kind: "whole", bytes: whole };
  const start = new BodyStart(body);
  const kind = await start.begin();
  return kind === "whole" ? { kind, bytes: start.bytes } : { kind, source: start };
}

class BodyStart implements BodySource {
  readonly #reader: BodySource;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;
  /** The read after the chunks; undefined once it is handed on. */
  #next: ReturnType<BodySource["read"]> | undefined;

  constructor(reader: BodySource) {
    this.#reader = reader;
  }

  get bytes(): Uint8Array {
    return joinBytes(this.#chunks);
  }

  async begin(): Promise<BegunBody["kind"]> {
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), shortBodyMaxMs);
    try {
      while (this.#size <= shortBodyBytesMax) {
        this.#next = this.#reader.read();
        const read = await Promise.race([this.#next, late.promise]);
        if (!read) return "going";
        if (read.done || !read.value) return "whole";
        this.#next = undefined;
        this.#chunks.push(read.value);
        this.#size += read.value.length;
      }
      return "going";
    } catch {
      return "broken";
    } finally {
      clearTimeout(timer);
    }
  }

  async read(): ReturnType<BodySource["read"]> {
    const value = this.#chunks.shift();
    if (value) return { done: false, value };
    const next = this.#next ?? this.#reader.read();
    this.#next = undefined;
    return next;
  }

  cancel(): Promise<void> {
    return this.#reader.cancel();
  }
}
