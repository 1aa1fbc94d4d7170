import type { DefinitionsRecord } from "#records/record.ts";

// About a kilobyte each.
export const listedToolsMax = 50_000;

export type DefinitionList = Omit<DefinitionsRecord, "ts" | "session_id" | "seq">;

/** Each content once: sessions mostly get the same list. */
export class DefinitionLists {
  readonly #lists = new Map<string, DefinitionList>();
  #tools = 0;

  listOf({
    ts: _ts,
    session_id: _id,
    seq: _seq,
    ...list
  }: DefinitionsRecord): DefinitionList | undefined {
    const key = JSON.stringify(list);
    const known = this.#lists.get(key);
    if (known) return known;
    if (this.#tools + list.tools.length > listedToolsMax) return undefined;
    this.#lists.set(key, list);
    this.#tools += list.tools.length;
    return list;
  }
}
