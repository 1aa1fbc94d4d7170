import { isAppOnlyTool } from "#wire/message.ts";
import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { readDefinitionName } from "./count-definition.ts";

export const listEntriesMax = 10_000;

export type ListState = "none" | "complete" | "cut_short" | "failed";

export class EntryList {
  readonly #member: string;
  #entries: JsonObject[] = [];
  #total = 0;
  #state: ListState = "none";

  constructor(member: "tools" | "skills") {
    this.#member = member;
  }

  get entries(): readonly JsonObject[] {
    return this.#entries;
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

  addPage(cursor: string | undefined, result: unknown): void {
    const members = readMember(result, this.#member);
    if (!Array.isArray(members)) return this.fail(cursor);
    // Ignores a page that repeats part of the complete list or that continues a newer list whose first page was not
    // read.
    if (cursor !== undefined && this.#state === "complete") return;
    const lacksPage = this.#state === "failed" && cursor !== undefined;
    if (cursor === undefined) this.begin();
    const page = members.filter(isObject);
    this.#total += page.length;
    for (const entry of page.slice(0, Math.max(0, listEntriesMax - this.#entries.length))) {
      this.add(entry);
    }
    const isLast = readString(result, "nextCursor") === undefined;
    this.#state = lacksPage ? "failed" : isLast ? "complete" : "cut_short";
  }

  fail(cursor: string | undefined): void {
    if (this.#state === "complete") return;
    if (cursor === undefined) this.begin();
    this.#state = "failed";
  }

  protected add(entry: JsonObject): void {
    this.#entries.push(entry);
  }

  protected begin(): void {
    this.#entries = [];
    this.#total = 0;
  }
}

export class ToolList extends EntryList {
  // The keys are names as in call records: clipped if long.
  readonly #byName = new Map<string, JsonObject>();
  // Tools that the model was ever offered. They stay in context, even if a later list offers them only to apps.
  readonly #forModel = new Set<string>();
  // A list with unread tools may have offered any tool to the model.
  #hasUnread = false;

  constructor() {
    super("tools");
  }

  get tools(): readonly JsonObject[] {
    return this.entries;
  }

  find(name: string): JsonObject | undefined {
    return this.#byName.get(name);
  }

  isForApps(name: string): boolean {
    return !this.#hasUnread && isAppOnlyTool(this.find(name)) && !this.#forModel.has(name);
  }

  override addPage(cursor: string | undefined, result: unknown): void {
    super.addPage(cursor, result);
    this.#hasUnread ||= this.total > this.tools.length;
  }

  // For a page that is too long or too deep to read.
  markPageUnread(cursor: string | undefined): void {
    this.fail(cursor);
    this.#hasUnread = true;
  }

  protected override add(tool: JsonObject): void {
    super.add(tool);
    const name = readDefinitionName(tool);
    if (name !== "") this.#byName.set(name, tool);
    if (!isAppOnlyTool(tool)) this.#forModel.add(name);
  }

  protected override begin(): void {
    super.begin();
    this.#byName.clear();
  }
}
