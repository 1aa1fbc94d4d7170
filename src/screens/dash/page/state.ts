import type { ViewChoice } from "../view.ts";
import { addressOf, parseAddress } from "./address.ts";
import { ViewStream, type Followed } from "./live.ts";
import { signal } from "./preact.ts";

export const choice = signal<ViewChoice>(parseAddress(location.hash));

export const followed = signal<Followed>({
  connection: "connecting",
  view: undefined,
  shown: undefined,
  problem: undefined,
  isDelta: false,
});

export const announcement = signal("");

/** Leaves no entry in the history: filters change often. */
export function replaceChoice(next: ViewChoice): void {
  history.replaceState(null, "", addressOf(next));
  take(next);
}

export function goTo(next: ViewChoice): void {
  location.hash = addressOf(next);
}

export function start(): void {
  stream.follow(choice.value);
  addEventListener("hashchange", () => take(parseAddress(location.hash)));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stream.pause();
    else stream.resume();
  });
}

const stream = new ViewStream({
  open: (address) => new EventSource(address),
  changed: (next) => {
    followed.value = next;
  },
  wait: (milliseconds, then) => {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  },
});

function take(next: ViewChoice): void {
  if (addressOf(next) === addressOf(choice.value)) return;
  choice.value = next;
  stream.follow(next);
}
