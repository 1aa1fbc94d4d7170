import { type CFunctions, loadC, takeAddress } from "#kit/os/pipe.ts";
import {
  readMonotonicMs,
  sharedMemory,
  threadState,
  word,
  delivery,
  type SharedMemory,
  recordKind,
  type RecordKind,
} from "./shared-memory.ts";
import { PollSet, pollEvent, Port, type PortEnds, Publisher, SpoolFile } from "./publisher.ts";
import { forwardedReadBytesMax } from "#kit/limits.ts";

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

export type ForwarderMessage = "forwards" | "wake" | "ended" | "stopped";

const [setFlags, nonBlocking] = [4, 0o4000];

declare const self: {
  addEventListener(
    kind: "message",
    listener: (event: { readonly data: ForwarderOrder }) => void,
    options: { readonly once: boolean },
  ): void;
  postMessage(message: ForwarderMessage, transfer: readonly []): void;
};

self.addEventListener(
  "message",
  ({ data }) => {
    forward(data);
    post("stopped");
  },
  { once: true },
);

function post(message: ForwarderMessage): void {
  self.postMessage(message, []);
}

// Does nothing if the judge's thread has decided to forward by itself.
function forward(order: ForwarderOrder): void {
  const c = loadC();
  const forwarder = makeForwarder(c, order);
  const { words } = sharedMemory(order.buffer);
  const { starting, forwarding } = threadState;
  if (Atomics.compareExchange(words, word.state, starting, forwarding) !== starting) return;
  for (const { ownFd, isSocket } of [order.toServer, order.fromServer]) {
    if (!isSocket) c.fcntl(ownFd, setFlags, nonBlocking);
  }
  post("forwards");
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
  // Both clocks count milliseconds, but from different moments.
  const offsetMs = order.clockOffsetMs + readMonotonicMs(c) - performance.now();
  return new Forwarder({
    memory,
    up: direction(true, order.fromClient, order.toServer),
    down: direction(false, order.fromServer, order.toClient),
    publisher,
    polled: new PollSet(c, polledDescriptors),
    wakeUp: new WakeUp(memory.words, () => post("wake")),
    ended: () => post("ended"),
    stopFd: order.stopFd,
    now: () => performance.now() + offsetMs,
  });
}

const roomCheckMs = 2;

const socketCheckMs = 1_000;

type ForwarderContext = {
  readonly memory: SharedMemory;
  readonly up: Direction;
  readonly down: Direction;
  readonly publisher: Publisher;
  readonly polled: PollSet;
  readonly wakeUp: WakeUp;
  readonly stopFd: number;
  readonly ended: () => void;
  readonly now: () => number;
};

const [upIndex, downIndex, stopIndex] = [0, 2, 4];

const polledDescriptors = 5;

// Allocates no objects while running; never waits for a full pipe or the judge.
class Forwarder {
  readonly #context: ForwarderContext;
  #delivery = -1;
  #isStopped = false;

  constructor(context: ForwarderContext) {
    this.#context = context;
  }

  run(): void {
    while (!this.#isStopped) this.#turn();
  }

  #turn(): void {
    const { up, down, publisher, polled, wakeUp, stopFd, now } = this.#context;
    const upWaits = this.#prepare(up, upIndex);
    const downWaits = this.#prepare(down, downIndex);
    this.#publishDelivery(downWaits);
    polled.set(stopIndex, stopFd, pollEvent.readable);
    if (upWaits || downWaits) wakeUp.wakeNow();
    polled.wait(upWaits || downWaits ? roomCheckMs : this.#timeoutMs());
    const nowMs = now();
    this.#serve(up, upIndex, nowMs);
    this.#serve(down, downIndex, nowMs);
    if (publisher.isFilling) wakeUp.wakeNow();
    wakeUp.wakeIfDue(nowMs);
    this.#isStopped = polled.results(stopIndex) !== 0;
  }

  #timeoutMs(): number {
    const { up, down, wakeUp, now } = this.#context;
    const wakeMs = wakeUp.timeoutMs(now());
    if (!up.awaitsSocket && !down.awaitsSocket) return wakeMs;
    return wakeMs < 0 ? socketCheckMs : Math.min(wakeMs, socketCheckMs);
  }

  #prepare(direction: Direction, index: number): boolean {
    const { publisher, polled } = this.#context;
    const { input, output } = direction;
    polled.set(index + 1, output.fd, direction.hasUnsent ? pollEvent.writable : 0);
    const waits = direction.wantsBytes && !publisher.hasRoom(direction.isFromClient);
    polled.set(index, input.fd, direction.wantsBytes && !waits ? pollEvent.readable : 0);
    return waits || direction.isWaitingToEnd;
  }

  #serve(direction: Direction, index: number, nowMs: number): void {
    const { polled, wakeUp, memory, publisher } = this.#context;
    const input = polled.results(index);
    const output = polled.results(index + 1);
    if (output !== 0) direction.flush(output);
    else direction.probe();
    // The other direction may have used up the space in this turn.
    if (input !== 0 && publisher.isFree()) direction.move(input, nowMs);
    if (input !== 0 || output !== 0) {
      if (!direction.isFromClient) memory.movedMs[0] = nowMs;
      wakeUp.published(!direction.isFromClient, nowMs);
    }
    if (direction.settle(nowMs)) this.#tellEnds();
  }

  #tellEnds(): void {
    const { up, down, memory } = this.#context;
    if (!up.isReading) Atomics.store(memory.words, word.clientEnded, 1);
    if (!down.isOpen) Atomics.store(memory.words, word.serverEnded, 1);
    this.#context.ended();
  }

  #publishDelivery(waitsForJudge: boolean): void {
    const { down, memory } = this.#context;
    const waiting = down.hasUnsent ? delivery.waitsForClient : delivery.none;
    const current = waitsForJudge ? delivery.waitsForJudge : waiting;
    if (current === this.#delivery) return;
    this.#delivery = current;
    Atomics.store(memory.words, word.delivery, current);
  }
}

type DirectionParts = {
  readonly isFromClient: boolean;
  readonly input: Port;
  readonly output: Port;
  readonly publisher: Publisher;
};

/** A request is published before it is written, an answer afterwards: no answer is first. */
export class Direction {
  readonly isFromClient: boolean;
  readonly input: Port;
  readonly output: Port;
  readonly #publisher: Publisher;
  readonly #unsent = new Uint8Array(forwardedReadBytesMax);
  readonly #unsentAddress: number;
  #unsentFrom = 0;
  #unsentTo = 0;
  #isReading = true;
  #isOpen = true;
  #end: RecordKind | undefined;

  constructor({ isFromClient, input, output, publisher }: DirectionParts) {
    this.isFromClient = isFromClient;
    this.input = input;
    this.output = output;
    this.#publisher = publisher;
    this.#unsentAddress = takeAddress(this.#unsent);
  }

  get hasUnsent(): boolean {
    return this.#unsentTo > this.#unsentFrom;
  }

  get wantsBytes(): boolean {
    return this.#isReading && !this.hasUnsent;
  }

  get isReading(): boolean {
    return this.#isReading;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  move(results: number, nowMs: number): void {
    const address = this.#publisher.begin();
    const size = this.input.read(address, forwardedReadBytesMax);
    if (size > 0) this.#forward(address, size, nowMs);
    else if (size === 0 || (results & pollEvent.over) !== 0) this.#endInput();
  }

  flush(results: number): void {
    const size = this.#unsentTo - this.#unsentFrom;
    const written = this.output.write(this.#unsentAddress + this.#unsentFrom, size);
    if (written > 0) this.#unsentFrom += written;
    else if (this.output.isBroken(results)) this.#breakOutput();
  }

  // The reader of a full socket causes no event when it leaves.
  probe(): void {
    if (this.awaitsSocket && this.output.isBroken(0)) this.#breakOutput();
  }

  get awaitsSocket(): boolean {
    return this.hasUnsent && this.output.isSocket;
  }

  get isWaitingToEnd(): boolean {
    return this.#end !== undefined;
  }

  settle(nowMs: number): boolean {
    if (this.#isReading || !this.#isOpen) return false;
    if (this.#end !== undefined) {
      if (!this.#publisher.isFree()) return false;
      this.#publisher.begin();
      this.#publisher.commit(this.#end, 0, nowMs);
      this.#end = undefined;
    }
    this.output.close();
    this.#isOpen = false;
    return true;
  }

  #forward(address: number, size: number, nowMs: number): void {
    const publisher = this.#publisher;
    if (this.isFromClient) publisher.commit(recordKind.clientBytes, size, nowMs);
    const written = Math.max(0, this.output.write(address, size));
    if (written < size) {
      publisher.copy(this.#unsent, written, size);
      this.#unsentFrom = 0;
      this.#unsentTo = size - written;
    }
    if (!this.isFromClient) publisher.commit(recordKind.serverBytes, size, nowMs);
  }

  #endInput(): void {
    this.#isReading = false;
    this.#end = this.isFromClient ? recordKind.clientEnd : recordKind.serverEnd;
  }

  // The writer's next write gets SIGPIPE or an error, as without us.
  #breakOutput(): void {
    this.#unsentFrom = 0;
    this.#unsentTo = 0;
    this.#isReading = false;
    this.input.close();
    this.#end = this.isFromClient ? recordKind.clientCut : undefined;
  }
}

export const judgeDelayMs = 35;

// A client may kill us 5 ms after its last answer.
export const promptDelayMs = 1;

// As many as a burst of checkpoints.
export const promptWakesMax = 16;

export const promptPeriodMs = 100;

/** At once after an answer that nothing follows: the client may kill us. Else in batches. */
export class WakeUp {
  readonly #words: Int32Array;
  readonly #wake: () => void;
  #latestMs = Infinity;
  #promptMs = Infinity;
  // When the prompt wakes so far are paid off, one period each.
  #spentMs = -Infinity;
  #answeredMs = -Infinity;

  constructor(words: Int32Array, wake: () => void) {
    this.#words = words;
    this.#wake = wake;
  }

  published(mayBeAnswer: boolean, nowMs: number): void {
    if (mayBeAnswer) this.#answered(nowMs);
    if (Atomics.load(this.#words, word.isAsleep) === 0) return;
    this.#latestMs = Math.min(this.#latestMs, nowMs + judgeDelayMs);
    const isPrompt = mayBeAnswer && this.#spentMs - nowMs < promptWakesMax * promptPeriodMs;
    if (isPrompt || this.#promptMs !== Infinity) this.#promptMs = nowMs + promptDelayMs;
  }

  timeoutMs(nowMs: number): number {
    const dueMs = Math.min(this.#promptMs, this.#latestMs);
    return dueMs === Infinity ? -1 : Math.max(0, Math.ceil(dueMs - nowMs));
  }

  // While answers come faster than that, time earns no prompt wakes: each costs as much as a batch.
  #answered(nowMs: number): void {
    const sinceMs = nowMs - this.#answeredMs;
    if (sinceMs < promptPeriodMs) this.#spentMs += sinceMs;
    this.#answeredMs = nowMs;
  }

  wakeIfDue(nowMs: number): void {
    const isPrompt = nowMs >= this.#promptMs;
    if (isPrompt) this.#spentMs = Math.max(this.#spentMs, nowMs) + promptPeriodMs;
    if (isPrompt || nowMs >= this.#latestMs) this.wakeNow();
  }

  wakeNow(): void {
    this.#latestMs = Infinity;
    this.#promptMs = Infinity;
    if (Atomics.compareExchange(this.#words, word.isAsleep, 1, 0) === 1) this.#wake();
  }
}
