import type { ChildStreams, ChunkReader } from "#kit/os/child.ts";
import { failureOf, type Forwarding, judgeRest } from "./forwarding.ts";
import type { Goodbye } from "./goodbye.ts";
import type { Judge } from "./judge.ts";
import { Lane, type LaneParts } from "./lane.ts";
import { LineScheduler } from "./line-scheduler.ts";
import { Outbox } from "./outbox.ts";
import { OverflowFile } from "#state/storage/overflow-file.ts";
import type { ScratchPaths } from "#state/storage/scratch-paths.ts";
import { silence, type DeliveryState } from "./silence.ts";
import { closeQuietly } from "#kit/os/close-quietly.ts";
import { openStdin } from "#kit/os/stdin.ts";
import { pump } from "./pump.ts";

type DownstreamParts = {
  readonly source: ChunkReader;
  readonly lane: Pick<Lane, "push" | "end">;
  readonly outbox: Outbox;
  readonly scheduler: LineScheduler;
  readonly waiting: () => Promise<void> | undefined;
};

export class Downstream {
  readonly #parts: DownstreamParts;
  #lastBytesMs = performance.now();
  #isDelivering = false;

  constructor(parts: DownstreamParts) {
    this.#parts = parts;
  }

  async move(): Promise<void> {
    const { source, lane, outbox, scheduler, waiting } = this.#parts;
    const sink = {
      push: (chunk: Uint8Array) => this.#deliver(() => lane.push(chunk)),
      // The rest of a line that was held is written now.
      end: () => this.#deliver(() => lane.end()),
    };
    await pump(source, sink, scheduler, () => outbox.isBroken);
    // The client reads no more: the server gets SIGPIPE from its next write, as it would alone.
    if (outbox.isBroken) await source.cancel().catch(() => undefined);
    await this.#deliver(waiting);
    await this.#deliver(() => outbox.end());
    closeQuietly(1);
  }

  async #deliver(act: () => Promise<void> | undefined): Promise<void> {
    this.#isDelivering = true;
    await act();
    this.#isDelivering = false;
    this.#lastBytesMs = performance.now();
  }

  get delivery(): DeliveryState {
    const { isWaiting, movedMs } = this.#parts.outbox;
    const waiting = isWaiting ? "waits-for-client" : "waits-for-judge";
    return {
      kind: this.#isDelivering ? waiting : "none",
      movedMs: Math.max(this.#lastBytesMs, movedMs),
    };
  }
}

export type ForwardingParts = {
  readonly judge: Judge;
  readonly goodbye: Goodbye;
  readonly scratch: ScratchPaths;
};

/** On the judge's own thread: where lines may be held, and wherever the forwarding thread is not possible. */
export function forwardByPump(streams: ChildStreams, parts: ForwardingParts): Forwarding {
  const scheduler = new LineScheduler();
  const { up, down, lanes } = connectPipes(streams, parts, scheduler);
  const moved = down.move();
  return {
    moved,
    failed: failureOf(up, moved),
    silence: (goodbye) => silence(() => down.delivery, goodbye),
    // The judge skips the lines that wait.
    giveUp: () => undefined,
    interrupted: () => parts.judge.interrupted(),
    finish: async () => {
      await judgeRest(scheduler.idle(), parts.judge);
      for (const lane of lanes) lane.leave();
    },
  };
}

function connectPipes(
  streams: ChildStreams,
  { judge, goodbye, scratch }: ForwardingParts,
  scheduler: LineScheduler,
): { readonly up: Promise<void>; readonly down: Downstream; readonly lanes: readonly Lane[] } {
  const toServer = new Outbox(streams.stdin);
  // Not Bun.stdout: its writer keeps a duplicate of the descriptor open after its end.
  const toClient = new Outbox(Bun.file(1).writer());
  let unread: Promise<void> | undefined;
  judge.connect((to, line) => {
    const taken = (to === "client" ? toClient : toServer).insert(line);
    if (to === "client" && taken) unread = taken;
  });
  const lane = (parts: Pick<LaneParts, "outbox" | "from">): Lane =>
    new Lane({ ...parts, judge, scheduler, overflow: new OverflowFile(scratch.overflow) });
  const upward = lane({ from: "client", outbox: toServer });
  const up = moveUp({
    lane: upward,
    outbox: toServer,
    scheduler,
    unreadRefusal: () => unread,
    waiting: () => judge.waiting(),
    eof: () => {
      goodbye.closed();
      judge.eof();
    },
  });
  const downward = lane({ from: "server", outbox: toClient });
  return {
    up,
    lanes: [upward, downward],
    down: new Downstream({
      source: streams.stdout,
      lane: downward,
      outbox: toClient,
      scheduler,
      waiting: () => judge.waiting(),
    }),
  };
}

type UpstreamParts = {
  readonly lane: Lane;
  readonly outbox: Outbox;
  readonly scheduler: LineScheduler;
  readonly unreadRefusal: () => Promise<void> | undefined;
  readonly waiting: () => Promise<void> | undefined;
  readonly eof: () => void;
};

async function moveUp(parts: UpstreamParts): Promise<void> {
  const { lane, outbox, scheduler, unreadRefusal, waiting, eof } = parts;
  const source = openStdin();
  const sink = {
    // A client that sends faster than it reads its refusals has to wait.
    push: async (chunk: Uint8Array): Promise<void> => {
      await lane.push(chunk);
      await unreadRefusal();
    },
    end: () => lane.end(),
  };
  await pump(source, sink, scheduler, () => outbox.isBroken);
  await waiting();
  eof();
  // Held requests are decided now.
  await waiting();
  if (outbox.isBroken) closeQuietly(0);
  await outbox.end();
}
