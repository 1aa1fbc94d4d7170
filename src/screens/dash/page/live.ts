import { tryParseJson } from "#kit/errors.ts";
import { isObject } from "#wire/json.ts";
import {
  screens,
  type View,
  type ViewChoice,
  type ViewDelta,
  applyDelta,
  reconnectDelayMs,
} from "../view.ts";
import { formatQuery } from "./address.ts";

// `lost`: the server rejected the stream, for example because it was restarted with another key.
type Connection = "connecting" | "live" | "reconnecting" | "lost";

export type StreamState = {
  readonly connection: Connection;
  readonly view: View | undefined;
  readonly shownChoice: ViewChoice | undefined;
  readonly isDelta: boolean; // the last update changed parts of the view, and did not replace it
};

export type EventStream = {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
};

type StreamEnvironment = {
  readonly open: (address: string) => EventStream;
  readonly onChange: (state: StreamState) => void;
  readonly schedule: (milliseconds: number, then: () => void) => () => void;
};

// EventSource.CLOSED, which the tests' runtime does not have.
const closedState = 2;

export const initialState: StreamState = {
  connection: "connecting",
  view: undefined,
  shownChoice: undefined,
  isDelta: false,
};

export class ViewStream {
  readonly #environment: StreamEnvironment;
  #state = initialState;
  #stream: EventStream | undefined;
  #choice: ViewChoice | undefined;
  #cancelRetry: (() => void) | undefined;

  constructor(environment: StreamEnvironment) {
    this.#environment = environment;
  }

  follow(choice: ViewChoice): void {
    this.pause();
    this.#choice = choice;
    const stream = this.#environment.open(`/events?${formatQuery(choice)}`);
    this.#stream = stream;
    const listen = (type: string, handle: (data: unknown) => void): void => {
      stream.addEventListener(type, ({ data }) => {
        if (this.#stream === stream) handle(data);
      });
    };
    listen("snapshot", (data) => this.#applySnapshot(data, choice));
    listen("delta", (data) => this.#applyDelta(data));
    listen("error", () => this.#handleError(stream));
  }

  // Hidden pages disconnect, because browsers limit the number of connections per server.
  pause(): void {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    this.#stream?.close();
    this.#stream = undefined;
  }

  resume(): void {
    if (this.#choice && !this.#stream) this.follow(this.#choice);
  }

  #applySnapshot(data: unknown, shownChoice: ViewChoice): void {
    const view = parse(data);
    if (!isView(view)) return;
    this.#update({ view, shownChoice, connection: "live", isDelta: false });
  }

  #applyDelta(data: unknown): void {
    const { view } = this.#state;
    const delta = parse(data);
    if (!view || !isDelta(delta)) return;
    this.#update({ view: applyDelta(view, delta), connection: "live", isDelta: true });
  }

  #handleError(stream: EventStream): void {
    const isRejected = stream.readyState === closedState;
    this.#update({ connection: isRejected ? "lost" : "reconnecting" });
    // Browsers reconnect broken streams by themselves, but not rejected ones. A later try may succeed:
    // if the user opens the printed address in another tab, both tabs get the cookie with the key.
    if (!isRejected) return;
    this.#cancelRetry = this.#environment.schedule(reconnectDelayMs, () => {
      if (this.#stream === stream && this.#choice) this.follow(this.#choice);
    });
  }

  #update(change: Partial<StreamState>): void {
    this.#state = { ...this.#state, ...change };
    this.#environment.onChange(this.#state);
  }
}

function parse(data: unknown): unknown {
  return typeof data === "string" ? tryParseJson(data) : undefined;
}

function isView(value: unknown): value is View {
  return isObject(value) && isHead(value["head"]) && isObject(value["tables"]);
}

function isHead(value: unknown): boolean {
  return isObject(value) && screens.some((screen) => screen === value["screen"]);
}

function isDelta(value: unknown): value is ViewDelta {
  if (!isObject(value) || !isObject(value["tables"])) return false;
  return value["head"] === undefined || isHead(value["head"]);
}
