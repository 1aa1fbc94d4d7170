import type { ViewChoice } from "../view.ts";
import { addressOf, parseAddress } from "./address.ts";
import { Follower, type Followed } from "./live.ts";
import { signal } from "./preact.ts";

/** The choice that the address names. */
export const choice = signal<ViewChoice>(parseAddress(location.hash));

/** The newest view and the state of the connection. */
export const followed = signal<Followed>({
  connection: "connecting",
  view: undefined,
  shown: undefined,
  problem: undefined,
  isDelta: false,
});

/** A short message for people who do not look at the button that they pressed; empty for none. */
export const announcement = signal("");

/** Goes to a choice without an entry in the history: filters are changed many times. */
export function replaceChoice(next: ViewChoice): void {
  history.replaceState(null, "", addressOf(next));
  take(next);
}

/** Goes to a choice. */
export function goTo(next: ViewChoice): void {
  location.hash = addressOf(next);
}

/** Connects the page to its address and to the server. */
export function start(): void {
  follower.follow(choice.value);
  addEventListener("hashchange", () => take(parseAddress(location.hash)));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) follower.pause();
    else follower.resume();
  });
}

const follower = new Follower({
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
  follower.follow(next);
}
