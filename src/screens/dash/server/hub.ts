import { diffViews, type ViewName, type View, type ViewChoice } from "../view.ts";

// The hub pauses for this multiple of a tick's duration, to leave time for other work.
export const dashPauseFactor = 4;

// People can follow about four changes per second.
export const dashDeltaMs = 250;

// A closed page is noticed only when we write to it, so we write pings even without changes.
const dashPingMs = 15_000;

export type MakeView = (choice: ViewChoice) => View;

export type ReadVersion = (screens: ReadonlySet<ViewName>) => string;

type Page = {
  readonly choice: ViewChoice;
  /** False if the page reads too slowly. Then nothing was sent. */
  readonly send: (event: string, data: object) => boolean;
  readonly ping: () => void;
};

type Subscriber = { readonly page: Page; view: View | undefined };

export class Hub {
  readonly #makeView: MakeView;
  readonly #readVersion: ReadVersion;
  readonly #subscribers = new Set<Subscriber>();
  #timer: Timer | undefined;
  #sentVersion = "";
  #pingedMs = 0;

  constructor(makeView: MakeView, readVersion: ReadVersion) {
    this.#makeView = makeView;
    this.#readVersion = readVersion;
  }

  get size(): number {
    return this.#subscribers.size;
  }

  get #screens(): ReadonlySet<ViewName> {
    return new Set([...this.#subscribers].map(({ page }) => page.choice.screen));
  }

  add(page: Page): () => void {
    const subscriber: Subscriber = { page, view: undefined };
    this.#subscribers.add(subscriber);
    this.#send(subscriber, this.#makeView(page.choice));
    this.#timer ??= setTimeout(() => this.#tick(), dashDeltaMs);
    return () => {
      this.#subscribers.delete(subscriber);
      if (this.#subscribers.size === 0) this.close();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#subscribers.clear();
  }

  #tick(): void {
    const startedMs = performance.now();
    const version = this.#readVersion(this.#screens);
    if (version !== this.#sentVersion) this.#sendAll();
    this.#sentVersion = version;
    if (startedMs - this.#pingedMs > dashPingMs) {
      for (const { page } of this.#subscribers) page.ping();
      this.#pingedMs = startedMs;
    }
    const tookMs = performance.now() - startedMs;
    const pauseMs = Math.max(dashDeltaMs, tookMs * dashPauseFactor);
    this.#timer = setTimeout(() => this.#tick(), pauseMs);
  }

  #sendAll(): void {
    const views = new Map<string, View>();
    for (const subscriber of this.#subscribers) {
      const key = JSON.stringify(subscriber.page.choice);
      const view = views.getOrInsertComputed(key, () => this.#makeView(subscriber.page.choice));
      this.#send(subscriber, view);
    }
  }

  #send(subscriber: Subscriber, view: View): void {
    const { page, view: before } = subscriber;
    const delta = before ? diffViews(before, view) : undefined;
    if (before && !delta) return;
    const isSent = delta ? page.send("delta", delta) : page.send("snapshot", view);
    if (isSent) subscriber.view = view;
  }
}
