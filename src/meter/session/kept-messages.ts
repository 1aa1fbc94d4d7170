import { type HeldRequest, requestedAgain } from "../budgets/held-requests.ts";
import type { Call, Instant } from "../calls/call.ts";
import type { Closed, Repeated, Requested, Unreadable } from "../calls/transition.ts";
import type { Id } from "#wire/message.ts";
import { type AskedLine, arrivalOf } from "./asked-lines.ts";
import type { Decider, EarlierDecision } from "./decider.ts";
import { droppedLate, type Effects, late, together } from "./effects.ts";

type Decide<Message> = (message: Message, at: Instant, before: EarlierDecision) => Effects;

export type LateDecisions = {
  readonly request: Decide<Requested>;
  readonly answer: Decide<Closed>;
  readonly further: Decide<Repeated | Unreadable>;
};

export function decideHeld(
  decider: Decider,
  decide: LateDecisions,
  { kind, at }: { readonly kind: "eof" | "wake"; readonly at: Instant },
): Effects {
  if (kind === "eof") decider.isHolding = false;
  const all = decider.held.takeAll().map((one): Effects => {
    const effects = decide.request(requestedAgain(one, at.monoMs), at, { held: one });
    one.call.heldMs = at.monoMs - one.sinceMs;
    return late(effects, one.call.exchange, { to: "server", bytes: one.bytes });
  });
  return together(all);
}

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

type GivenUp = { readonly calls: readonly Call[]; readonly effects: Effects };

type KeptPart = { readonly id: Id["value"] } | { readonly exchange: number } | "all";

export function giveUp(decider: Decider, which: KeptPart): GivenUp {
  const { asked, held } = decider;
  if (which === "all") {
    decider.isAsking = false;
    decider.weighings.drop();
    return givenUp(asked.takeAll(), held.takeAll());
  }
  if ("exchange" in which) {
    const { exchange } = which;
    return givenUp(asked.takeExchange(exchange), held.takeExchange(exchange));
  }
  const call = decider.takeRequest(which.id);
  return { calls: call ? [call] : [], effects: droppedLate(call?.exchange) };
}

function givenUp(asked: readonly AskedLine[], held: readonly HeldRequest[]): GivenUp {
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
