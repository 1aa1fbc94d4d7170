import type { ViewChoice } from "../view.ts";
import { addressOf, parseAddress } from "./address.ts";
import { KeptKey } from "./kept-key.ts";
import { ViewStream, type Followed } from "./live.ts";
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

/** A short message that screen readers read out; empty for none. */
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
  stream.follow(choice.value);
  addEventListener("hashchange", () => take(parseAddress(location.hash)));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stream.pause();
    else stream.resume();
  });
}

const comeback = new KeptKey((address) => fetch(address));

const stream = new ViewStream({
  open: (address) => new EventSource(address),
  changed: (next) => {
    followed.value = next;
  },
  wait: (milliseconds, then) => {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  },
  keepKey: () => comeback.keep(),
  comeBack: () => comeback.prove(),
});

function take(next: ViewChoice): void {
  if (addressOf(next) === addressOf(choice.value)) return;
  choice.value = next;
  stream.follow(next);
}
