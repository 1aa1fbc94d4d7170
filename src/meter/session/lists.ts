import type { Call } from "../calls/call.ts";
import type { Transition } from "../calls/transition.ts";
import type { LockGuard } from "#lock/lock-watch.ts";

export function followLists(lock: LockGuard, transition: Transition): void {
  switch (transition.kind) {
    case "unreadable":
      if (lock.isAwaited) lock.forget();
      return;
    case "unasked":
    case "withdrawn":
      return;
    default:
      if (isList(transition.call)) followList(lock, transition);
  }
}

function followList(lock: LockGuard, transition: Listing): void {
  const { subject } = transition.call;
  switch (transition.kind) {
    case "requested":
      lock.request();
      return;
    case "answered":
      lock.addPage(subject, transition.result, { isDoubted: transition.mayBeRejected === true });
      return;
    case "closed":
      // After an answer that the client may reject, another one may come.
      if (transition.mayBeRejected !== true) lock.settle();
      return;
    case "repeated":
      if ("result" in transition.closing)
        lock.addPage(subject, transition.closing.result, { isFurther: true });
  }
}

type Listing = Exclude<Transition, { readonly kind: "unreadable" | "unasked" | "withdrawn" }>;

function isList({ from, method }: Call): boolean {
  return from === "client" && method === "tools/list";
}
