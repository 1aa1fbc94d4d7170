import type { ViewChoice } from "../view.ts";
import type { Hub } from "./hub.ts";

// A page that does not read gets no more until it has.
export const dashWaitingBytesMax = 4 * 1024 * 1024;

const encoder = new TextEncoder();

export function eventStream(hub: Hub, choice: ViewChoice): ReadableStream<Uint8Array> {
  let leave: (() => void) | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string): void => controller.enqueue(encoder.encode(text));
        write("retry: 1000\n\n");
        leave = hub.add({
          choice,
          send: (event, data) => {
            if ((controller.desiredSize ?? 0) <= 0) return false;
            write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
            return true;
          },
          ping: () => write(": still here\n\n"),
        });
      },
      cancel: () => leave?.(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: dashWaitingBytesMax }),
  );
}
