import { dashRestFactor } from "#kit/limits.ts";
import { deltaOf, type Screen, type View, type ViewChoice } from "../view.ts";

// A person follows four changes per second.
export const dashDeltaMs = 250;

// A comment to a quiet page shows whether its reader has left.
const dashPingMs = 15_000;

export type MakeView = (choice: ViewChoice) => View;

export type NameVersion = (screens: ReadonlySet<Screen>) => string;

type PageReader = {
  readonly choice: ViewChoice;
  readonly send: (event: string, data: object) => boolean;
  readonly ping: () => void;
};

type Followed = { readonly follower: PageReader; view: View | undefined };

/** Sends each page its view, and then its changes, at most four times a second. */
export class Hub {
  readonly #make: MakeView;
  readonly #version: NameVersion;
  readonly #followed = new Set<Followed>();
  #timer: Timer | undefined;
  #sentVersion = "";
  #pingedMs = 0;

  constructor(make: MakeView, version: NameVersion) {
    this.#make = make;
    this.#version = version;
  }

  get size(): number {
    return this.#followed.size;
  }

  get #screens(): ReadonlySet<Screen> {
    return new Set([...this.#followed].map(({ follower }) => follower.choice.screen));
  }

  add(follower: PageReader): () => void {
    const followed: Followed = { follower, view: undefined };
    this.#followed.add(followed);
    this.#send(followed, this.#make(follower.choice));
    this.#timer ??= setTimeout(() => this.#tick(), dashDeltaMs);
    return () => {
      this.#followed.delete(followed);
      if (this.#followed.size === 0) this.close();
    };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#followed.clear();
  }

  #tick(): void {
    const startedMs = performance.now();
    const version = this.#version(this.#screens);
    if (version !== this.#sentVersion) this.#sendAll();
    this.#sentVersion = version;
    if (startedMs - this.#pingedMs > dashPingMs) {
      for (const { follower } of this.#followed) follower.ping();
      this.#pingedMs = startedMs;
    }
    const tookMs = performance.now() - startedMs;
    const pauseMs = Math.max(dashDeltaMs, tookMs * dashRestFactor);
    this.#timer = setTimeout(() => this.#tick(), pauseMs);
  }

  #sendAll(): void {
    const views = new Map<string, View>();
    for (const followed of this.#followed) {
      const key = JSON.stringify(followed.follower.choice);
      const view = views.get(key) ?? this.#make(followed.follower.choice);
      views.set(key, view);
      this.#send(followed, view);
    }
  }

  /** A page that does not read keeps its view, and gets all changes at once later. */
  #send(followed: Followed, view: View): void {
    const { follower, view: before } = followed;
    const delta = before ? deltaOf(before, view) : undefined;
    if (before && !delta) return;
    const isSent = delta ? follower.send("delta", delta) : follower.send("snapshot", view);
    if (isSent) followed.view = view;
  }
}
