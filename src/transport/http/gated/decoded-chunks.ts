import { BodyDecoder, type ContentCoding } from "../body-decoder.ts";

/** The chunks of a body as clients read it, and the function that a reader calls when a message in it is complete. */
export type ReadableChunks = {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly messageEnded: () => void;
};

/** The chunks of a body without its coding. A damaged one, or one with a message that is too long, breaks off: a client would take the part for the whole. */
export function decodedChunks(
  body: ReadableStream<Uint8Array>,
  coding: ContentCoding | "none",
): ReadableChunks {
  if (coding === "none") return { chunks: body, messageEnded: () => undefined };
  const ready: Uint8Array[] = [];
  const decoder = new BodyDecoder(coding, (bytes) => ready.push(bytes));
  return { chunks: decoded(body, decoder, ready), messageEnded: () => decoder.begin() };
}

async function* decoded(
  body: ReadableStream<Uint8Array>,
  decoder: BodyDecoder,
  ready: Uint8Array[],
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of body) {
    await decoder.push(chunk);
    yield* ready.splice(0);
    if (decoder.isBroken) throw new Error("a coded body that cannot be read");
  }
  await decoder.end();
  yield* ready.splice(0);
}
