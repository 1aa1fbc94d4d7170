import { screens, type View, type ViewChoice, type ViewDelta } from "../view.ts";
import { withDelta } from "../view-delta.ts";
import { paramsOf } from "./address.ts";

/** The connection to the server, as the page shows it. `lost` is one to a server that does not know the page. */
type Connection = "connecting" | "live" | "reconnecting" | "lost";

/** Everything that the stream decides. */
export type Followed = {
  readonly connection: Connection;
  /** Of the newest snapshot and the deltas since; kept while another choice is on its way. */
  readonly view: View | undefined;
  /** The choice that the view is of. */
  readonly shown: ViewChoice | undefined;
  /** A sentence of the server when the choice cannot be shown. */
  readonly problem: string | undefined;
  /** Rows change one by one since the snapshot, so that a change is worth a mark. */
  readonly isDelta: boolean;
};

/** The part of an EventSource that is needed. */
export type EventStream = {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
};

/** The world of the stream. */
export type StreamWorld = {
  readonly open: (address: string) => EventStream;
  readonly changed: (followed: Followed) => void;
  readonly wait: (milliseconds: number, then: () => void) => () => void;
  /** Keeps the key by which the page comes back to a server that was started again. */
  readonly keepKey: () => void;
  /** Proves the key to such a server; does nothing that fails. */
  readonly comeBack: () => Promise<void>;
};

const closedState = 2;

/** A refused stream is opened again once the key is proven, or the address that was printed was opened in another tab. */
const retryMs = 1_000;

/** Follows one choice at a time through the server's stream of events. */
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
  /** Refused streams since the last snapshot. The first may be of a server that was started again and knows the key. */
  #refusals = 0;

  constructor(world: StreamWorld) {
    this.#world = world;
  }

  /** Follows a choice instead of the one before, whose view stays until the new one arrives. */
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

  /** Closes the stream until `resume`: a hidden page keeps no connection, of which a browser has few. */
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
    this.#refusals = 0;
    this.#world.keepKey();
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
    this.#refusals += Number(isRefused);
    this.#change({ connection: this.#refusals > 1 ? "lost" : "reconnecting" });
    // A browser opens a broken stream again by itself, but not a refused one.
    if (!isRefused) return;
    this.#cancelRetry = this.#world.wait(retryMs, () => void this.#return(stream));
  }

  async #return(stream: EventStream): Promise<void> {
    await this.#world.comeBack();
    if (this.#stream === stream && this.#choice) this.follow(this.#choice);
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
