import { toolsListedMax } from "#limits/counting.ts";
import { isForPages } from "#wire/apps.ts";
import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { definitionName } from "./begin-tool.ts";

export type ListState =
  | "none"
  | "complete"
  | "cut_short"
  /** An error, or a result that is not a list. */
  | "failed";

export class ToolList {
  #tools: JsonObject[] = [];
  readonly #byName = new Map<unknown, JsonObject>();
  /** Tools that any list had for the model: one that a later list keeps for pages may still be in its context. */
  readonly #forModel = new Set<string>();
  #total = 0;
  #state: ListState = "none";

  /** At most `toolsListedMax`. */
  get tools(): readonly JsonObject[] {
    return this.#tools;
  }

  get total(): number {
    return this.#total;
  }

  get state(): ListState {
    return this.#state;
  }

  get isComplete(): boolean {
    return this.#state === "complete";
  }

  find(name: string): JsonObject | undefined {
    return this.#byName.get(name);
  }

  isForPages(name: string): boolean {
    return isForPages(this.find(name)) && !this.#forModel.has(name);
  }

  /** A request without a cursor begins a new list. */
  addPage(cursor: string | undefined, result: unknown): void {
    const members = memberAt(result, "tools");
    if (!Array.isArray(members)) return this.fail(cursor);
    if (cursor === undefined) this.#begin();
    const page = members.filter(isObject);
    this.#total += page.length;
    for (const tool of page.slice(0, Math.max(0, toolsListedMax - this.#tools.length))) {
      this.#tools.push(tool);
      this.#byName.set(tool["name"], tool);
      if (!isForPages(tool)) this.#forModel.add(definitionName(tool));
    }
    this.#state = textAt(result, "nextCursor") === undefined ? "complete" : "cut_short";
  }

  /** A complete list stays: its client has it. */
  fail(cursor: string | undefined): void {
    if (this.#state === "complete") return;
    if (cursor === undefined) this.#begin();
    this.#state = "failed";
  }

  #begin(): void {
    this.#tools = [];
    this.#byName.clear();
    this.#total = 0;
  }
}
