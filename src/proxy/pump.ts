import type { Turns } from "./turns.ts";

/** A byte stream that can be read and let go of. */
export type Source = {
  read(): Promise<{ readonly value?: Uint8Array | undefined }>;
};

/** Where chunks go: a lane, or what stands before one. */
export type Taker = {
  push(chunk: Uint8Array): Promise<void> | undefined;
  end(): Promise<void> | undefined;
};

/** Chunks moved between two turns of the loop: counted, as a clock would not tell work from idleness. */
const chunksPerTurn = 16;

/**
 * Moves everything from a source through a lane, one chunk at a time: the next is read when the kernel
 * has taken the last, so a reader that stops, stops the writer. `isBroken` is asked after every chunk.
 * Resolves at the end of the source, or when its other end is gone.
 */
export async function pump(
  source: Source,
  lane: Taker,
  turns: Turns,
  isBroken: () => boolean,
): Promise<void> {
  let moved = 0;
  for (let chunk = await next(source); chunk; chunk = await next(source)) {
    await lane.push(chunk);
    if (isBroken()) return;
    moved += 1;
    if (moved % chunksPerTurn === 0) await turns.next();
  }
  await lane.end();
}

/** A source that fails has ended: there is nobody to tell. */
async function next(source: Source): Promise<Uint8Array | undefined> {
  try {
    const { value } = await source.read();
    return value;
  } catch {
    return undefined;
  }
}
