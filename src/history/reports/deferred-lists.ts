import { tokensToLoad } from "#tokens/cost/definitions-cost.ts";
import type { DefinitionsRecord } from "#records/record.ts";

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
