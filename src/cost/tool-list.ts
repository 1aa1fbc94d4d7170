import { toolsListedMax } from "#limits.ts";
import { arrayAt, isObject, type JsonObject, textAt } from "#wire/json.ts";

/** The newest `tools/list` of a server, collected page by page. */
export class ToolList {
  #tools: JsonObject[] = [];
  #total = 0;
  #isComplete = false;

  /** At most `toolsListedMax` definitions. */
  get tools(): readonly JsonObject[] {
    return this.#tools;
  }

  /** Number of all tools listed. */
  get total(): number {
    return this.#total;
  }

  /** True once the last page was added. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The last definition with that name. */
  find(name: string): JsonObject | undefined {
    return this.#tools.findLast((tool) => tool["name"] === name);
  }

  /** Adds the result of a request with that cursor; a request without a cursor begins a new list. */
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
