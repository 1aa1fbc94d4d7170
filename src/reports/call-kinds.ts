import type { CountedCall } from "#records/record.ts";

/** The method whose facts are definitions and not calls. */
export const listMethod = "tools/list";

/** Server, method, tool and model of calls, one value for all sessions. */
export type CallKind = Pick<CountedCall, "server" | "method" | "tool"> & {
  readonly model: string | undefined;
  /** Counts up from 0. */
  readonly number: number;
  /** Calls of one session and group with equal arguments are repeats: the number of a server and tool. */
  readonly group: number;
};

/** The kinds of calls, each kept once: a report has few of them and a million calls. */
export class CallKinds {
  readonly #kinds = new Map<string, CallKind>();
  readonly #groups = new Map<string, number>();

  kindOf({ server, method, tool, model }: CountedCall): CallKind {
    // All four may hold any character.
    const key = JSON.stringify([server, method, tool, model]);
    const known = this.#kinds.get(key);
    if (known) return known;
    const group = this.#groupOf(JSON.stringify([server, tool]));
    const kind = { server, method, tool, model, number: this.#kinds.size, group };
    this.#kinds.set(key, kind);
    return kind;
  }

  #groupOf(key: string): number {
    const group = this.#groups.get(key) ?? this.#groups.size;
    this.#groups.set(key, group);
    return group;
  }
}

/** True for a call of that kind. */
export function isOfKind(kind: CallKind, call: CountedCall): boolean {
  return kind.server === call.server && kind.method === call.method && kind.model === call.model;
}
