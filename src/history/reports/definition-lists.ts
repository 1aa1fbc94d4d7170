import type { DefinitionsRecord } from "#records/record.ts";
import { tokensToLoad } from "#tokens/cost/definitions-cost.ts";

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

export const deferredToolsMax = 100_000;

export type LoadableTools = ReadonlyMap<string, number>;

/** Sessions mostly load the same lists, which are kept once. */
export class DeferredLists {
  readonly #lists = new Map<string, LoadableTools>();
  #tools = 0;

  listOf({ tools }: DefinitionsRecord): LoadableTools | undefined {
    const loadable = tools.map((tool) => [tool.name, tokensToLoad(tool)] as const);
    const key = JSON.stringify(loadable);
    const known = this.#lists.get(key);
    if (known) return known;
    if (this.#tools + loadable.length > deferredToolsMax) return undefined;
    const list = new Map(loadable);
    this.#lists.set(key, list);
    this.#tools += loadable.length;
    return list;
  }
}
