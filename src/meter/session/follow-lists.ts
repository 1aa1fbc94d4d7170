import type { LockGuard } from "#lock/lock-guard.ts";
import { trimListLine } from "#lock/trim-tools.ts";
import { hidesTools, type TrimRules } from "#lock/hidden-tools.ts";
import type { RecordBody } from "#records/record.ts";
import { type Call, type Closed, copyLine, type Instant, type Transition } from "../calls/call.ts";

type ListFollowers = {
  readonly lock: LockGuard | undefined;
  readonly trimmer: ListTrimmer | undefined;
};

// The returned function needs every transition: it counts open list requests, and some end without an answer.
export function makeListFollower({
  lock,
  trimmer,
}: ListFollowers): ((transition: Transition, at: Instant) => void) | undefined {
  if (!lock && !trimmer) return undefined;
  return (transition, at) => {
    trimmer?.follow(transition, at);
    if (lock) followForLock(lock, transition);
  };
}

function followForLock(lock: LockGuard, transition: Transition): void {
  if (transition.kind === "unreadable" && lock.isPageAwaited) lock.forgetLists();
  if ("call" in transition && isList(transition.call)) followListing(lock, transition);
}

function followListing(lock: LockGuard, transition: Listing): void {
  const { subject } = transition.call;
  switch (transition.kind) {
    case "requested":
      lock.noteRequest();
      return;
    case "answered":
      lock.addPage(subject, transition.result, {
        mayBeRejected: transition.mayBeRejected === true,
      });
      return;
    case "closed":
      // If the client rejects this answer, it still awaits the list.
      if (transition.mayBeRejected !== true) lock.noteAnswer();
      return;
    case "repeated":
      if ("result" in transition.closing)
        lock.addPage(subject, transition.closing.result, { isRepeated: true });
  }
}

type Listing = Exclude<Transition, { readonly kind: "unreadable" | "unexpected" | "withdrawn" }>;

type AddRecord = (body: RecordBody, at: Instant) => void;

export class ListTrimmer {
  readonly #rules: TrimRules;
  readonly #addRecord: AddRecord;
  #awaitedLists = 0;
  #hasReported = false;

  constructor(rules: TrimRules, addRecord: AddRecord) {
    this.#rules = rules;
    this.#addRecord = addRecord;
  }

  follow(transition: Transition, at: Instant): void {
    // An unreadable line may be an awaited list.
    if (transition.kind === "unreadable" && this.#awaitedLists > 0) this.#report(at);
    if (!("call" in transition) || !isList(transition.call)) return;
    if (transition.kind === "requested") this.#awaitedLists += 1;
    // If the client rejects this answer, it still awaits the list.
    if (transition.kind === "closed" && transition.mayBeRejected !== true) this.#awaitedLists -= 1;
  }

  edit({ call, closing, answer }: Omit<Closed, "kind">, at: Instant): Uint8Array | undefined {
    if (!answer || !isList(call) || closing.outcome !== "ok") return undefined;
    const isRead = !answer.arrival.hasPassed && closing.result !== undefined;
    const line = isRead ? copyLine(answer.arrival) : undefined;
    const edited = line && trimListLine(line, this.#rules);
    if (!edited) this.#report(at);
    return edited;
  }

  #report(at: Instant): void {
    if (this.#hasReported || !hidesTools(this.#rules)) return;
    this.#hasReported = true;
    this.#addRecord({ type: "fault", where: "tools/list", what: unreadListFault }, at);
  }
}

const unreadListFault =
  "a list could not be read, so the client may have received hidden tools; calls of those tools are refused";

function isList({ method, from }: Call): boolean {
  return method === "tools/list" && from === "client";
}
