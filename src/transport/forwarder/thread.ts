import { type CFunctions, loadC } from "#kit/os/c-library.ts";
import { Direction } from "./direction.ts";
import { Forwarder, forwarderPlaces } from "./forwarder.ts";
import { monotonicMs } from "./monotonic.ts";
import { PollSet } from "./poll-set.ts";
import { Port, type PortEnds } from "./port.ts";
import { Publisher } from "./publisher.ts";
import { sharedMemory, threadState, word } from "./shared-memory.ts";
import { SpoolFile } from "./spool-file.ts";
import { WakeUp } from "./wake-up.ts";

export type ForwarderOrder = {
  readonly buffer: SharedArrayBuffer;
  readonly fromClient: PortEnds;
  readonly toServer: PortEnds;
  readonly fromServer: PortEnds;
  readonly toClient: PortEnds;
  readonly stopFd: number;
  readonly spoolPath: string;
  readonly clockOffsetMs: number;
};

export type ForwarderNews = "forwards" | "wake" | "ended" | "stopped";

const [setFlags, nonBlocking] = [4, 0o4000];

declare const self: {
  addEventListener(
    kind: "message",
    listener: (event: { readonly data: ForwarderOrder }) => void,
    options: { readonly once: boolean },
  ): void;
  postMessage(news: ForwarderNews, transfer: readonly []): void;
};

self.addEventListener(
  "message",
  ({ data }) => {
    forward(data);
    tell("stopped");
  },
  { once: true },
);

function tell(news: ForwarderNews): void {
  self.postMessage(news, []);
}

/** Does nothing when the judge's thread has decided to forward by itself. */
function forward(order: ForwarderOrder): void {
  const c = loadC();
  const forwarder = makeForwarder(c, order);
  const { words } = sharedMemory(order.buffer);
  const { starting, forwarding } = threadState;
  if (Atomics.compareExchange(words, word.state, starting, forwarding) !== starting) return;
  for (const { ownFd, isSocket } of [order.toServer, order.fromServer]) {
    if (!isSocket) c.fcntl(ownFd, setFlags, nonBlocking);
  }
  tell("forwards");
  forwarder.run();
}

function makeForwarder(c: CFunctions, order: ForwarderOrder): Forwarder {
  const memory = sharedMemory(order.buffer);
  const publisher = new Publisher(memory, new SpoolFile(c, order.spoolPath));
  const direction = (isFromClient: boolean, input: PortEnds, output: PortEnds): Direction =>
    new Direction({
      isFromClient,
      input: new Port(c, input),
      output: new Port(c, output),
      publisher,
    });
  // Both clocks count the same milliseconds, from different moments.
  const offsetMs = order.clockOffsetMs + monotonicMs(c) - performance.now();
  return new Forwarder({
    memory,
    up: direction(true, order.fromClient, order.toServer),
    down: direction(false, order.fromServer, order.toClient),
    publisher,
    polled: new PollSet(c, forwarderPlaces),
    wakeUp: new WakeUp(memory.words, () => tell("wake")),
    ended: () => tell("ended"),
    stopFd: order.stopFd,
    now: () => performance.now() + offsetMs,
  });
}
