/** Called while a body is relayed. None of them throws or rejects. */
export type RelayHooks = {
  /** A chunk was forwarded; the next one is read when the promise resolves. */
  readonly forwarded: (chunk: Uint8Array) => Promise<void> | undefined;
  /** The body is over, or broke off. */
  readonly ended: (isWhole: boolean) => void;
  /** The client reads no further. */
  readonly left: () => void;
};

/** The source of a body: the reader of a stream, or one of which a part is read. */
export type BodySource = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
};

/** The same body, one chunk at a time: a reader that stops, stops the server. */
export function relay(
  source: BodySource,
  { forwarded, ended, left }: RelayHooks,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.read();
        if (done || !value) {
          controller.close();
          ended(true);
          return;
        }
        controller.enqueue(value);
        await forwarded(value);
      } catch (error) {
        controller.error(error);
        ended(false);
      }
    },
    async cancel() {
      left();
      await source.cancel().catch(() => undefined);
    },
  });
}
