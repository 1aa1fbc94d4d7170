import { clientKey } from "./client-key.ts";
import type { SessionList } from "../session-state.ts";

/** The definitions of servers that sessions behind mcp-meter have listed. */
export class KnownDefinitions {
  /** By the client's own session and server, the newest. */
  readonly #own = new Map<string, Map<string, SessionList>>();
  /** By server, the newest of each client. */
  readonly #lists = new Map<string, Map<string, SessionList>>();

  constructor(lists: Iterable<SessionList>) {
    for (const list of lists) {
      const { server, session, clientSession } = list;
      keepNewest(this.#lists, [server, session.client ?? ""], list);
      if (clientSession !== undefined) keepNewest(this.#own, [clientSession, server], list);
    }
  }

  /** The definitions of the servers that ran in a client's own session, by server. */
  ofSession(clientSession: string | undefined): ReadonlyMap<string, SessionList> {
    return this.#own.get(clientSession ?? "") ?? new Map<string, SessionList>();
  }

  /** The definitions of a server: the newest that a client of that name got, else the newest. */
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
