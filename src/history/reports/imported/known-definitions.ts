import { clientKey } from "./client-key.ts";
import type { SessionList } from "../session-state.ts";

export class KnownDefinitions {
  readonly #own = new Map<string, Map<string, SessionList>>();
  readonly #lists = new Map<string, Map<string, SessionList>>();

  constructor(lists: Iterable<SessionList>) {
    for (const list of lists) {
      const { server, session, clientSession } = list;
      keepNewest(this.#lists, [server, session.client ?? ""], list);
      if (clientSession !== undefined) keepNewest(this.#own, [clientSession, server], list);
    }
  }

  ofSession(clientSession: string | undefined): ReadonlyMap<string, SessionList> {
    return this.#own.get(clientSession ?? "") ?? new Map<string, SessionList>();
  }

  ofServer(server: string, client: string): SessionList | undefined {
    const lists = [...(this.#lists.get(server)?.values() ?? [])];
    const key = clientKey(client);
    const its = lists.filter(({ session }) => clientKey(session.client) === key);
    return (its.length > 0 ? its : lists).reduce(newer, undefined);
  }
}

function keepNewest(
  lists: Map<string, Map<string, SessionList>>,
  [outer, inner]: readonly [string, string],
  list: SessionList,
): void {
  const its = lists.get(outer) ?? new Map<string, SessionList>();
  lists.set(outer, its);
  its.set(inner, newer(its.get(inner), list));
}

/** Of equal times the larger one, so that the order of files does not matter. */
function newer(one: SessionList | undefined, other: SessionList): SessionList {
  if (!one || one.ms < other.ms) return other;
  return one.ms === other.ms && one.tokens < other.tokens ? other : one;
}
