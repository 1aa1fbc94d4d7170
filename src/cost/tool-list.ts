import { toolsListedMax } from "#limits.ts";
import { arrayAt, isObject, textAt, type JsonObject } from "#wire/json.ts";

/** The newest `tools/list` of a server, gathered page by page. */
export class ToolList {
  #tools: JsonObject[] = [];
  #total = 0;
  #isComplete = false;

  get tools(): readonly JsonObject[] {
    return this.#tools;
  }

  /** Tools listed, also those beyond the limit of what is priced. */
  get total(): number {
    return this.#total;
  }

  /** The newest definition of that name. */
  find(name: string): JsonObject | undefined {
    return this.#tools.findLast((tool) => tool["name"] === name);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Adds the answer to a request with that cursor; a request without one begins the list anew. */
  addPage(cursor: string | undefined, result: unknown): void {
    if (cursor === undefined) {
      this.#tools = [];
      this.#total = 0;
    }
    const page = arrayAt(result, "tools").filter(isObject);
    this.#total += page.length;
    this.#tools.push(...page.slice(0, Math.max(0, toolsListedMax - this.#tools.length)));
    this.#isComplete = textAt(result, "nextCursor") === undefined;
  }
}
