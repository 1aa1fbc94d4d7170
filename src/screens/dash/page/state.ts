import type { ViewChoice } from "../view.ts";
import { formatAddress, parseAddress } from "./address.ts";
import { initialState, ViewStream, type StreamState } from "./live.ts";
import { signal } from "./preact.ts";

export const choice = signal<ViewChoice>(parseAddress(location.hash));

export const streamState = signal<StreamState>(initialState);

export const announcement = signal("");

// The same breakpoint as in style.css.
const narrowQuery = matchMedia("(max-width: 760px)");

export const isNarrow = signal(narrowQuery.matches);

narrowQuery.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});

export function replaceChoice(next: ViewChoice): void {
  history.replaceState(null, "", formatAddress(next));
  applyChoice(next);
}

export function start(): void {
  stream.follow(choice.value);
  addEventListener("hashchange", () => applyChoice(parseAddress(location.hash)));
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stream.pause();
    else stream.resume();
  });
}

const stream = new ViewStream({
  open: (address) => new EventSource(address),
  onChange: (next) => {
    streamState.value = next;
  },
  schedule: (milliseconds, then) => {
    const timer = setTimeout(then, milliseconds);
    return () => clearTimeout(timer);
  },
});

function applyChoice(next: ViewChoice): void {
  if (formatAddress(next) === formatAddress(choice.value)) return;
  choice.value = next;
  stream.follow(next);
}
