import { requestedAgain } from "#budgets/held-requests.ts";
import type { Call } from "#calls/call.ts";
import type { Instant } from "#calls/instant.ts";
import type { Closed, Repeated, Requested, Unreadable } from "#calls/transition.ts";
import type { Decider, EarlierDecision } from "./decider.ts";
import { type Effects, keptBack, together } from "./effects.ts";

type Decide<Message> = (message: Message, at: Instant, before: EarlierDecision) => Effects;

/** Decisions about messages that were decided before and kept. */
export type LateDecisions = {
  readonly request: Decide<Requested>;
  readonly answer: Decide<Closed>;
  readonly further: Decide<Repeated | Unreadable>;
};

/** Decides about the requests that are held for a budget. */
export function decideHeld({ held }: Decider, decide: LateDecisions, at: Instant): Effects {
  const all = held.takeAll().map((one): Effects => {
    const effects = decide.request(requestedAgain(one, at.monoMs), at, { held: one });
    one.call.heldMs = at.wallMs - one.sinceMs;
    return late(effects, { toServer: [one.bytes] });
  });
  return together(all);
}

/** Decides about the messages that waited for the answers of counters; those that wait for others are kept. */
export function decideAsked({ asked }: Decider, decide: LateDecisions, at: Instant): Effects {
  const all = asked.takeAll().map(({ transition, bytes, held }): Effects => {
    const before = { held, wasAsked: true };
    switch (transition.kind) {
      case "requested":
        return late(decide.request(transition, at, before), { toServer: [bytes] });
      case "closed":
        return late(decide.answer(transition, at, before), { toClient: [bytes] });
      default:
        return late(decide.further(transition, at, before), { toClient: [bytes] });
    }
  });
  return together(all);
}

/** The calls whose requests or answers are kept; nothing is kept any more. */
export function abandonKept(decider: Decider): readonly Call[] {
  decider.isAsking = false;
  const asked = decider.asked.takeAll().flatMap(({ transition }) => {
    const isOpen = transition.kind === "requested" || transition.kind === "closed";
    return isOpen ? [transition.call] : [];
  });
  return [...asked, ...decider.held.takeAll().map(({ call }) => call)];
}

/** A message that passes late goes out as a line of its own. */
function late(effects: Effects, line: Partial<Effects>): Effects {
  return effects.passes ? { ...keptBack(), ...line } : effects;
}
