/** The bytes of a body, in the pieces in which they come. */
export type BodySource = {
  /** All of them, where they came together with the head, which saves the wait for each piece. */
  readonly whole?: Uint8Array | undefined;
  /** The next piece. Rejects where the body breaks off. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** No more of it is wanted: the connection is given up. */
  cancel(): Promise<void>;
};

/** The pieces of a body, one after the other; a reader that stops gives up the rest. */
export async function* piecesOf(body: BodySource): AsyncGenerator<Uint8Array, void, undefined> {
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await body.read();
      isOver = done;
      if (done || !value) return;
      yield value;
    }
  } finally {
    if (!isOver) await body.cancel().catch(() => undefined);
  }
}
