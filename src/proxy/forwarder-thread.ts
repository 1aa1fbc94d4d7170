import { loadFromC } from "#os/c-library.ts";
import { Direction } from "./direction.ts";
import { Forwarder, forwarderPlaces } from "./forwarder.ts";
import { monotonicMs } from "./monotonic.ts";
import { PollSet } from "./poll-set.ts";
import { Port, type PortEnds } from "./port.ts";
import { Publisher } from "./publisher.ts";
import { sharedMemory, threadState, word } from "./shared-memory.ts";
import { SpoolFile } from "./spool-file.ts";
import { WakeUp } from "./wake-up.ts";

/** Everything that the forwarding thread needs; it is sent to it as a message. */
export type ForwarderOrder = {
  readonly buffer: SharedArrayBuffer;
  readonly fromClient: PortEnds;
  readonly toServer: PortEnds;
  readonly fromServer: PortEnds;
  readonly toClient: PortEnds;
  readonly stopFd: number;
  /** A path at which there is no file yet, for the spool. */
  readonly spoolPath: string;
  /** What the judge's clock says when the system's monotonic clock is at 0, in milliseconds. */
  readonly clockOffsetMs: number;
};

/** News from the forwarding thread. */
export type ForwarderNews = "forwards" | "wake" | "stopped";

/** `F_SETFL` and `O_NONBLOCK` of Linux. */
const [setFlags, nonBlocking] = [4, 0o4000];

declare const self: {
  onmessage: ((event: { readonly data: ForwarderOrder }) => void) | null;
  postMessage(news: ForwarderNews): void;
};

self.onmessage = ({ data }) => {
  self.onmessage = null;
  forward(data);
  self.postMessage("stopped");
};

/** Forwards until it is stopped; does nothing when the judge's thread has decided to forward by itself. */
function forward(order: ForwarderOrder): void {
  const forwarder = makeForwarder(order);
  const { words } = sharedMemory(order.buffer);
  const { starting, forwarding } = threadState;
  if (Atomics.compareExchange(words, word.state, starting, forwarding) !== starting) return;
  self.postMessage("forwards");
  forwarder.run();
}

function makeForwarder(order: ForwarderOrder): Forwarder {
  const c = loadFromC([
    "open",
    "unlink",
    "pwrite",
    "poll",
    "read",
    "write",
    "recv",
    "send",
    "close",
    "clock_gettime",
    "fcntl",
  ]);
  for (const { ownFd, isSocket } of [order.toServer, order.fromServer]) {
    if (!isSocket) c.fcntl(ownFd, setFlags, nonBlocking);
  }
  const memory = sharedMemory(order.buffer);
  const publisher = new Publisher(memory, new SpoolFile(c, order.spoolPath));
  // Both clocks count the same milliseconds, from different moments.
  const offsetMs = order.clockOffsetMs + monotonicMs(c) - performance.now();
  const up = new Direction({
    isFromClient: true,
    input: new Port(c, order.fromClient),
    output: new Port(c, order.toServer),
    publisher,
  });
  const down = new Direction({
    isFromClient: false,
    input: new Port(c, order.fromServer),
    output: new Port(c, order.toClient),
    publisher,
  });
  return new Forwarder({
    memory,
    up,
    down,
    publisher,
    polled: new PollSet(c, forwarderPlaces),
    wakeUp: new WakeUp(memory.words, () => self.postMessage("wake")),
    stopFd: order.stopFd,
    now: () => performance.now() + offsetMs,
  });
}
