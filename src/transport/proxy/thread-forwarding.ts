import { loadC, closePipe, openPipe } from "#kit/os/pipe.ts";
import type { Child } from "#kit/os/child.ts";
import { closeQuietly } from "#kit/os/file-errors.ts";
import { Follower } from "./follower.ts";
import type { ForwarderMessage, ForwarderOrder } from "../forwarder/thread.ts";
import {
  type Forwarding,
  judgeRemaining,
  type DeliveryState,
  waitForSilence,
} from "./forwarding.ts";
import {
  readMonotonicMs,
  delivery,
  sharedMemory,
  threadState,
  word,
} from "../forwarder/shared-memory.ts";
import { PassedReader } from "../forwarder/passed-reader.ts";
import type { PortEnds } from "../forwarder/port.ts";
import type { ForwardingContext } from "./pump-forwarding.ts";
import { reopen } from "../forwarder/reopen.ts";

// Time to catch up before saving for a leaving client.
export const checkpointCatchUpMaxMs = 50;

// Bytes wait in their pipes meanwhile.
export const threadStartMaxMs = 2_000;

const threadStopMaxMs = 1_000;

// Twice the descriptors that the runtime needs for a thread.
const threadPipes = 5;

export type StartingThread = {
  readonly begun: Promise<Forwarding | undefined>;
  abandon(): void; // prevents a thread from starting to forward, unless it has started
};

// Forwards on a thread that the judge cannot delay. Undefined where that is not possible.
export function startForwardingThread(
  { ends }: Pick<Child, "ends">,
  context: ForwardingContext,
): StartingThread | undefined {
  if (!ends || !hasSpareDescriptors()) return undefined;
  const [fromClient, toClient] = [reopen(0, "read"), reopen(1, "write")];
  const stop = openPipe("linux");
  const release = (): void => {
    for (const end of [fromClient, toClient]) {
      if (end && end.ownFd !== end.fd) closeQuietly(end.ownFd);
    }
    if (stop) closePipe(stop);
  };
  if (!fromClient || !toClient || !stop) {
    release();
    return undefined;
  }
  const order = {
    fromClient,
    toClient,
    toServer: makePortEnds(ends.stdin),
    fromServer: makePortEnds(ends.stdout),
    stopFd: stop.readEnd,
    spoolPath: context.scratch.spool(),
    clockOffsetMs: performance.now() - readMonotonicMs(loadC()),
  };
  return new ForwardingThread(order, context, {
    stop: () => closeQuietly(stop.writeEnd),
    release,
  });
}

// The runtime aborts the process if it lacks descriptors for a thread.
function hasSpareDescriptors(): boolean {
  const pipes = Array.from({ length: threadPipes }, () => openPipe("linux"));
  for (const pipe of pipes) if (pipe) closePipe(pipe);
  return !pipes.includes(undefined);
}

function makePortEnds({ fd, isSocket }: { fd: number; isSocket: boolean }): PortEnds {
  return { fd, ownFd: fd, isSocket };
}

type Descriptors = {
  readonly stop: () => void;
  readonly release: () => void;
};

class ForwardingThread implements StartingThread, Forwarding {
  readonly #memory = sharedMemory();
  readonly #context: ForwardingContext;
  readonly #descriptors: Descriptors;
  readonly #follower: Follower;
  readonly #begun = Promise.withResolvers<Forwarding | undefined>();
  readonly #moved = Promise.withResolvers<void>();
  readonly #failed = Promise.withResolvers<never>();
  readonly #stopped = Promise.withResolvers<void>();
  #hasClientEnded = false;

  constructor(
    order: Omit<ForwarderOrder, "buffer">,
    context: ForwardingContext,
    descriptors: Descriptors,
  ) {
    this.#context = context;
    this.#descriptors = descriptors;
    this.#follower = new Follower({
      memory: this.#memory,
      reader: new PassedReader(this.#memory),
      judge: context.judge,
    });
    // Without a handler, an unawaited rejection would be an error.
    this.#failed.promise.catch(() => undefined);
    const worker = new Worker(resolveThreadUrl());
    worker.addEventListener("message", ({ data }: { readonly data: ForwarderMessage }) =>
      this.#take(data),
    );
    worker.addEventListener("error", ({ message }) => this.#broke(new Error(message)));
    // A thread that hangs at its start must not stop the traffic.
    const late = setTimeout(() => this.abandon(), threadStartMaxMs);
    void this.#begun.promise.then(() => clearTimeout(late));
    const completeOrder: ForwarderOrder = { ...order, buffer: this.#memory.buffer };
    worker.postMessage(completeOrder, []);
  }

  get begun(): Promise<Forwarding | undefined> {
    return this.#begun.promise;
  }

  get moved(): Promise<void> {
    return this.#moved.promise;
  }

  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  abandon(): void {
    const { words } = this.#memory;
    const { starting, abandoned } = threadState;
    const before = Atomics.compareExchange(words, word.state, starting, abandoned);
    if (before !== starting) return;
    this.#descriptors.release();
    this.#begun.resolve(undefined);
  }

  async waitForSilence(goodbye: Parameters<Forwarding["waitForSilence"]>[0]): Promise<void> {
    await waitForSilence(() => this.#delivery, goodbye);
  }

  giveUp(): void {
    this.#follower.giveUp();
  }

  interrupted(): void {
    void this.#saveAll();
  }

  async finish(): Promise<void> {
    this.#descriptors.stop();
    await Promise.race([this.#stopped.promise, Bun.sleep(threadStopMaxMs)]);
    const { goodbye, judge } = this.#context;
    await judgeRemaining(this.#follower.finish(goodbye), judge);
  }

  #take(message: ForwarderMessage): void {
    if (message === "forwards") this.#begun.resolve(this);
    if (message === "stopped") this.#stopped.resolve();
    if (message === "wake") this.#follower.wake();
    if (message === "ended") this.#takeEnds();
  }

  #takeEnds(): void {
    const { words } = this.#memory;
    this.#follower.wake();
    if (Atomics.load(words, word.clientEnded) === 1 && !this.#hasClientEnded) {
      this.#hasClientEnded = true;
      this.#context.goodbye.closed();
      void this.#saveAll();
    }
    if (Atomics.load(words, word.serverEnded) === 1) this.#moved.resolve();
  }

  // The client may kill us from now on.
  async #saveAll(): Promise<void> {
    await this.#follower.catchUp(checkpointCatchUpMaxMs);
    this.#context.judge.interrupted();
  }

  #broke(error: Error): void {
    this.abandon();
    this.#failed.reject(error);
    this.#stopped.resolve();
  }

  get #delivery(): DeliveryState {
    const { words, movedMs } = this.#memory;
    const state = Atomics.load(words, word.delivery);
    const waiting = state === delivery.waitsForJudge ? "waits-for-judge" : "waits-for-client";
    return { kind: state === delivery.none ? "none" : waiting, movedMs: movedMs[0] ?? 0 };
  }
}

// In the executable, all modules but the entry points are at the root.
function resolveThreadUrl(): URL {
  const isBundled = import.meta.url.includes("/$bunfs/");
  const path = isBundled ? "./transport/forwarder/thread.js" : "../forwarder/thread.ts";
  return new URL(path, import.meta.url);
}
