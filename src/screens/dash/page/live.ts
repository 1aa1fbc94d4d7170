import { screens, type View, type ViewChoice, type ViewDelta, withDelta } from "../view.ts";
import { paramsOf } from "./address.ts";

/** `lost` is a server that does not know the page. */
type Connection = "connecting" | "live" | "reconnecting" | "lost";

export type Followed = {
  readonly connection: Connection;
  readonly view: View | undefined;
  readonly shown: ViewChoice | undefined;
  readonly problem: string | undefined;
  /** Rows change one by one, so that a change is worth a mark. */
  readonly isDelta: boolean;
};

export type EventStream = {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
};

type StreamWorld = {
  readonly open: (address: string) => EventStream;
  readonly changed: (followed: Followed) => void;
  readonly wait: (milliseconds: number, then: () => void) => () => void;
};

const closedState = 2;

/** A refused stream is opened again: the address that was printed may have been opened in another tab. */
const retryMs = 1_000;

export class ViewStream {
  readonly #world: StreamWorld;
  #followed: Followed = {
    connection: "connecting",
    view: undefined,
    shown: undefined,
    problem: undefined,
    isDelta: false,
  };
  #stream: EventStream | undefined;
  #choice: ViewChoice | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(world: StreamWorld) {
    this.#world = world;
  }

  follow(choice: ViewChoice): void {
    this.pause();
    this.#choice = choice;
    const stream = this.#world.open(`/events?${paramsOf(choice)}`);
    this.#stream = stream;
    const on = (type: string, take: (data: unknown) => void): void => {
      stream.addEventListener(type, ({ data }) => {
        if (this.#stream === stream) take(data);
      });
    };
    on("snapshot", (data) => this.#takeSnapshot(data, choice));
    on("delta", (data) => this.#takeDelta(data));
    on("problem", (data) => this.#takeProblem(data));
    on("error", () => this.#takeError(stream));
  }

  /** A hidden page keeps no connection: a browser has few. */
  pause(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#stream?.close();
    this.#stream = undefined;
  }

  resume(): void {
    if (this.#choice && !this.#stream) this.follow(this.#choice);
  }

  #takeSnapshot(data: unknown, shown: ViewChoice): void {
    const view = parsed(data);
    if (!isView(view)) return;
    this.#change({ view, shown, problem: undefined, connection: "live", isDelta: false });
  }

  #takeDelta(data: unknown): void {
    const { view } = this.#followed;
    const delta = parsed(data);
    if (!view || !isDelta(delta)) return;
    this.#change({ view: withDelta(view, delta), connection: "live", isDelta: true });
  }

  #takeProblem(data: unknown): void {
    const problem = parsed(data);
    if (!isObject(problem) || typeof problem["message"] !== "string") return;
    this.#change({ problem: problem["message"], connection: "live" });
  }

  #takeError(stream: EventStream): void {
    const isRefused = stream.readyState === closedState;
    this.#change({ connection: isRefused ? "lost" : "reconnecting" });
    // A browser opens a broken stream again by itself, but not a refused one.
    if (!isRefused) return;
    this.#cancelRetry = this.#world.wait(retryMs, () => {
      if (this.#stream === stream && this.#choice) this.follow(this.#choice);
    });
  }

  #change(change: Partial<Followed>): void {
    this.#followed = { ...this.#followed, ...change };
    this.#world.changed(this.#followed);
  }
}

function parsed(data: unknown): unknown {
  if (typeof data !== "string") return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}

function isView(value: unknown): value is View {
  return isObject(value) && isHead(value["head"]) && isObject(value["tables"]);
}

function isHead(value: unknown): boolean {
  return isObject(value) && screens.some((known) => known === value["screen"]);
}

function isDelta(value: unknown): value is ViewDelta {
  if (!isObject(value) || !isObject(value["tables"])) return false;
  return value["head"] === undefined || isHead(value["head"]);
}
