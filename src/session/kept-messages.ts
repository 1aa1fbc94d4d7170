import { type HeldRequest, requestedAgain } from "#budgets/held-requests.ts";
import type { Call } from "#calls/call.ts";
import type { Instant } from "#calls/instant.ts";
import type { Closed, Repeated, Requested, Unreadable } from "#calls/transition.ts";
import { type AskedLine, arrivalOf } from "./asked-lines.ts";
import type { Decider, EarlierDecision } from "./decider.ts";
import { droppedLate, type Effects, late, together } from "./effects.ts";

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
    return late(effects, one.call.exchange, { to: "server", bytes: one.bytes });
  });
  return together(all);
}

/** Decides about the messages that waited for the answers of counters; those that wait for others are kept. */
export function decideAsked({ asked }: Decider, decide: LateDecisions, at: Instant): Effects {
  const all = asked.takeAll().map(({ transition, bytes, held }): Effects => {
    const before = { held, wasAsked: true };
    const exchange = arrivalOf(transition)?.exchange;
    switch (transition.kind) {
      case "requested":
        return late(decide.request(transition, at, before), exchange, { to: "server", bytes });
      case "closed":
        return late(decide.answer(transition, at, before), exchange, { to: "client", bytes });
      default:
        return late(decide.further(transition, at, before), exchange, { to: "client", bytes });
    }
  });
  return together(all);
}

/** The messages that are kept leave, which are then no longer kept: the calls that end with them, and their fate. */
export type Abandoned = { readonly calls: readonly Call[]; readonly effects: Effects };

/** Everything that is kept is given up, and nothing is kept any more. */
export function abandonKept(decider: Decider): Abandoned {
  decider.isAsking = false;
  return abandoned(decider.asked.takeAll(), decider.held.takeAll());
}

/** Everything that is kept of one exchange of HTTP is given up. */
export function abandonExchange({ asked, held }: Decider, number: number): Abandoned {
  return abandoned(asked.takeExchange(number), held.takeExchange(number));
}

/** The request with that id is given up, where it is kept. */
export function abandonRequest(decider: Decider, id: string | number): Abandoned {
  const call = decider.takeRequest(id);
  return { calls: call ? [call] : [], effects: droppedLate(call?.exchange) };
}

function abandoned(asked: readonly AskedLine[], held: readonly HeldRequest[]): Abandoned {
  const calls = asked.flatMap(({ transition }) => {
    const isOpen = transition.kind === "requested" || transition.kind === "closed";
    return isOpen ? [transition.call] : [];
  });
  const exchanges = [
    ...asked.map(({ transition }) => arrivalOf(transition)?.exchange),
    ...held.map(({ call }) => call.exchange),
  ];
  return {
    calls: [...calls, ...held.map(({ call }) => call)],
    effects: together(exchanges.map(droppedLate)),
  };
}
