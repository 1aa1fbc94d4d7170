import type { CountedCall } from "#records/record.ts";

export const listMethod = "tools/list";

export type CallKind = Pick<CountedCall, "server" | "method" | "tool"> & {
  readonly model: string | undefined;
  readonly number: number;
  // Equal calls of a session and group are repeats.
  readonly group: number;
};

export class CallKinds {
  readonly #kinds = new Map<string, CallKind>();
  readonly #groups = new Map<string, number>();

  findKind({ server, method, tool, model }: CountedCall): CallKind {
    const key = JSON.stringify([server, method, tool, model]);
    const known = this.#kinds.get(key);
    if (known) return known;
    const group = this.#findGroup(JSON.stringify([server, tool]));
    const kind = { server, method, tool, model, number: this.#kinds.size, group };
    this.#kinds.set(key, kind);
    return kind;
  }

  #findGroup(key: string): number {
    const group = this.#groups.get(key) ?? this.#groups.size;
    this.#groups.set(key, group);
    return group;
  }
}

export function hasKind(kind: CallKind, call: CountedCall): boolean {
  return kind.server === call.server && kind.method === call.method && kind.model === call.model;
}
