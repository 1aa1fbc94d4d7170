import { type CFunctions, loadC, takeAddress } from "#kit/os/c-library.ts";
import {
  readMonotonicMs,
  makeSharedMemory,
  threadState,
  wordIndex,
  deliveryState,
  type SharedMemory,
  recordKind,
  type RecordKind,
} from "./shared-memory.ts";
import {
  PollSet,
  pollEvent,
  Port,
  type PortDescriptors,
  Publisher,
  SpoolFile,
} from "./publisher.ts";
import { forwardedReadBytesMax } from "#kit/os/pipe.ts";

export type ForwarderSetup = {
  readonly buffer: SharedArrayBuffer;
  readonly fromClient: PortDescriptors;
  readonly toServer: PortDescriptors;
  readonly fromServer: PortDescriptors;
  readonly toClient: PortDescriptors;
  readonly stopFd: number;
  readonly spoolPath: string;
  readonly clockOffsetMs: number;
};

export type ForwarderMessage = "forwards" | "wake" | "ended" | "stopped";

// F_SETFL and O_NONBLOCK.
const [setFlags, nonBlocking] = [4, 0o4000];

declare const self: {
  addEventListener(
    kind: "message",
    listener: (event: { readonly data: ForwarderSetup }) => void,
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

// Does nothing if the judge's thread already forwards by itself.
function forward(setup: ForwarderSetup): void {
  const c = loadC();
  const forwarder = makeForwarder(c, setup);
  const { words } = makeSharedMemory(setup.buffer);
  const { starting, forwarding } = threadState;
  if (Atomics.compareExchange(words, wordIndex.state, starting, forwarding) !== starting) return;
  for (const { ownFd, isSocket } of [setup.toServer, setup.fromServer]) {
    if (!isSocket) c.fcntl(ownFd, setFlags, nonBlocking);
  }
  post("forwards");
  forwarder.run();
}

function makeForwarder(c: CFunctions, setup: ForwarderSetup): Forwarder {
  const memory = makeSharedMemory(setup.buffer);
  const publisher = new Publisher(memory, new SpoolFile(c, setup.spoolPath));
  const makeDirection = (
    isFromClient: boolean,
    input: PortDescriptors,
    output: PortDescriptors,
  ): Direction =>
    new Direction({
      isFromClient,
      input: new Port(c, input),
      output: new Port(c, output),
      publisher,
    });
  // The clocks of the two threads count milliseconds from different moments.
  const offsetMs = setup.clockOffsetMs + readMonotonicMs(c) - performance.now();
  return new Forwarder({
    memory,
    up: makeDirection(true, setup.fromClient, setup.toServer),
    down: makeDirection(false, setup.fromServer, setup.toClient),
    publisher,
    pollSet: new PollSet(c, polledDescriptors),
    wakeUp: new WakeUp(memory.words, () => post("wake")),
    reportEnd: () => post("ended"),
    stopFd: setup.stopFd,
    now: () => performance.now() + offsetMs,
  });
}

const roomCheckMs = 2;

const socketCheckMs = 1_000;

type ForwarderContext = {
  readonly memory: SharedMemory;
  readonly up: Direction; // from the client to the server
  readonly down: Direction;
  readonly publisher: Publisher;
  readonly pollSet: PollSet;
  readonly wakeUp: WakeUp;
  readonly stopFd: number;
  readonly reportEnd: () => void;
  readonly now: () => number;
};

// Each direction takes two places in the poll set: its input, then its output.
const [upIndex, downIndex, stopIndex] = [0, 2, 4];

const polledDescriptors = 5;

// Allocates few objects while it runs. Waits only in `poll`: a full pipe in one direction does not stop the other.
class Forwarder {
  readonly #context: ForwarderContext;
  #delivery = -1;
  #isStopped = false;

  constructor(context: ForwarderContext) {
    this.#context = context;
  }

  run(): void {
    while (!this.#isStopped) this.#runTurn();
  }

  #runTurn(): void {
    const { up, down, publisher, pollSet, wakeUp, stopFd, now } = this.#context;
    const upWaits = this.#requestEvents(up, upIndex);
    const downWaits = this.#requestEvents(down, downIndex);
    this.#publishDelivery(downWaits);
    pollSet.set(stopIndex, stopFd, pollEvent.readable);
    if (upWaits || downWaits) wakeUp.wakeNow();
    pollSet.wait(upWaits || downWaits ? roomCheckMs : this.#computeTimeoutMs());
    const nowMs = now();
    this.#handleEvents(up, upIndex, nowMs);
    this.#handleEvents(down, downIndex, nowMs);
    if (publisher.isRingHalfFull) wakeUp.wakeNow();
    wakeUp.wakeIfDue(nowMs);
    this.#isStopped = pollSet.readResults(stopIndex) !== 0;
  }

  #computeTimeoutMs(): number {
    const { up, down, wakeUp, now } = this.#context;
    const wakeMs = wakeUp.computeTimeoutMs(now());
    if (!up.awaitsSocket && !down.awaitsSocket) return wakeMs;
    return wakeMs < 0 ? socketCheckMs : Math.min(wakeMs, socketCheckMs);
  }

  // True if the direction waits until the judge makes room.
  #requestEvents(direction: Direction, index: number): boolean {
    const { publisher, pollSet } = this.#context;
    const { input, output } = direction;
    pollSet.set(index + 1, output.fd, direction.hasUnsent ? pollEvent.writable : 0);
    const waitsForRoom = direction.wantsBytes && !publisher.hasRoom(direction.isFromClient);
    pollSet.set(index, input.fd, direction.wantsBytes && !waitsForRoom ? pollEvent.readable : 0);
    return waitsForRoom || direction.isWaitingToEnd;
  }

  #handleEvents(direction: Direction, index: number, nowMs: number): void {
    const { pollSet, wakeUp, memory, publisher } = this.#context;
    const input = pollSet.readResults(index);
    const output = pollSet.readResults(index + 1);
    if (output !== 0) direction.flush(output);
    else direction.probe();
    // The other direction may have used up the space in this turn.
    if (input !== 0 && publisher.canPublish()) direction.move(input, nowMs);
    if (input !== 0 || output !== 0) {
      if (!direction.isFromClient) memory.lastProgressMs[0] = nowMs;
      wakeUp.notePublished(!direction.isFromClient, nowMs);
    }
    if (direction.endWhenPublished(nowMs)) this.#reportEnds();
  }

  #reportEnds(): void {
    const { up, down, memory } = this.#context;
    if (!up.isReading) Atomics.store(memory.words, wordIndex.clientEnded, 1);
    if (!down.isOpen) Atomics.store(memory.words, wordIndex.serverEnded, 1);
    this.#context.reportEnd();
  }

  #publishDelivery(waitsForJudge: boolean): void {
    const { down, memory } = this.#context;
    const waiting = down.hasUnsent ? deliveryState.waitsForClient : deliveryState.idle;
    const state = waitsForJudge ? deliveryState.waitsForJudge : waiting;
    if (state === this.#delivery) return;
    this.#delivery = state;
    Atomics.store(memory.words, wordIndex.delivery, state);
  }
}

type DirectionParts = {
  readonly isFromClient: boolean;
  readonly input: Port;
  readonly output: Port;
  readonly publisher: Publisher;
};

/** Publishes requests before it writes them, because the judge must read a request before its answer. */
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
  #pendingEnd: RecordKind | undefined;

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

  // `poll` does not report a peer that has shut down only its reading side.
  probe(): void {
    if (this.awaitsSocket && this.output.isBroken(0)) this.#breakOutput();
  }

  get awaitsSocket(): boolean {
    return this.hasUnsent && this.output.isSocket;
  }

  get isWaitingToEnd(): boolean {
    return this.#pendingEnd !== undefined;
  }

  endWhenPublished(nowMs: number): boolean {
    if (this.#isReading || !this.#isOpen) return false;
    if (this.#pendingEnd !== undefined) {
      if (!this.#publisher.canPublish()) return false;
      this.#publisher.begin();
      this.#publisher.commit(this.#pendingEnd, 0, nowMs);
      this.#pendingEnd = undefined;
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
      publisher.copyUnsent(this.#unsent, written, size);
      this.#unsentFrom = 0;
      this.#unsentTo = size - written;
    }
    if (!this.isFromClient) publisher.commit(recordKind.serverBytes, size, nowMs);
  }

  #endInput(): void {
    this.#isReading = false;
    this.#pendingEnd = this.isFromClient ? recordKind.clientEnd : recordKind.serverEnd;
  }

  #breakOutput(): void {
    this.#unsentFrom = 0;
    this.#unsentTo = 0;
    this.#isReading = false;
    // This makes the sender's next write fail, as it would without mcp-meter.
    this.input.close();
    this.#pendingEnd = this.isFromClient ? recordKind.clientCut : undefined;
  }
}

export const judgeDelayMs = 35;

// A client may kill us 5 ms after it receives its last answer.
export const promptDelayMs = 1;

// Equal to `checkpointBurstMax`: each prompt wake may cause a checkpoint.
export const promptWakesMax = 16;

export const promptPeriodMs = 100;

/** Wakes the judge for many records at a time, but promptly after an answer: the client may then kill us. */
export class WakeUp {
  readonly #words: Int32Array;
  readonly #wake: () => void;
  #batchDueMs = Infinity;
  #promptDueMs = Infinity;
  // When the allowance of prompt wakes will be full again. Each prompt wake delays that by one period.
  #refilledAtMs = -Infinity;
  #answeredMs = -Infinity;

  constructor(words: Int32Array, wake: () => void) {
    this.#words = words;
    this.#wake = wake;
  }

  notePublished(mayBeAnswer: boolean, nowMs: number): void {
    if (mayBeAnswer) this.#noteAnswer(nowMs);
    if (Atomics.load(this.#words, wordIndex.wantsWakeUp) === 0) return;
    this.#batchDueMs = Math.min(this.#batchDueMs, nowMs + judgeDelayMs);
    const isPrompt = mayBeAnswer && this.#refilledAtMs - nowMs < promptWakesMax * promptPeriodMs;
    if (isPrompt || this.#promptDueMs !== Infinity) this.#promptDueMs = nowMs + promptDelayMs;
  }

  computeTimeoutMs(nowMs: number): number {
    const dueMs = Math.min(this.#promptDueMs, this.#batchDueMs);
    return dueMs === Infinity ? -1 : Math.max(0, Math.ceil(dueMs - nowMs));
  }

  // The allowance of prompt wakes refills with time, but not between answers less than `promptPeriodMs` apart. So a
  // long series of quick answers uses it up. Then one later wake serves several answers, which is cheaper than a prompt
  // wake for each.
  #noteAnswer(nowMs: number): void {
    const sinceMs = nowMs - this.#answeredMs;
    if (sinceMs < promptPeriodMs) this.#refilledAtMs += sinceMs;
    this.#answeredMs = nowMs;
  }

  wakeIfDue(nowMs: number): void {
    const isPrompt = nowMs >= this.#promptDueMs;
    if (isPrompt) this.#refilledAtMs = Math.max(this.#refilledAtMs, nowMs) + promptPeriodMs;
    if (isPrompt || nowMs >= this.#batchDueMs) this.wakeNow();
  }

  wakeNow(): void {
    this.#batchDueMs = Infinity;
    this.#promptDueMs = Infinity;
    if (Atomics.compareExchange(this.#words, wordIndex.wantsWakeUp, 1, 0) === 1) this.#wake();
  }
}
