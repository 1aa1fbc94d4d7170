import type { CallRecord, DefinitionsRecord, ListChange, MeterRecord } from "#records/record.ts";
import type { DefinitionRules } from "#tokens/cost/client-profiles/client-profile.ts";
import { countTokensToLoad, type ToolDefinition } from "#tokens/cost/definitions-cost.ts";

// Providers keep a cached prompt for at least five minutes after its last use. After that, it may be lost.
export const cachedPromptMaxMs = 5 * 60_000;

// The maximum number of tool lists kept between two calls, including the earlier call's list. If more arrive, the
// later call gets no `list_change`.
export const followedListsMax = 8;

// A prompt begins with the definitions, followed by the instructions.
type PromptList = { readonly tools: readonly ToolDefinition[]; readonly instructionTokens: number };

type PromptContext = {
  readonly rules: Pick<DefinitionRules, "sortsTools" | "keepsTools">;
  readonly windowTokens: number;
};

const noCalls = { beganMs: -Infinity, endedMs: -Infinity, tokens: 0 };

/** Finds changes to the model's tool list between calls, and counts the tokens that the provider had to cache again. */
export class ListChanges {
  // The first is the list that the model had when it made `#calls`; the others came later.
  #lists: { readonly list: PromptList; readonly sinceMs: number }[] = [];
  #conversation: string | undefined;
  #calls = { ...noCalls }; // the newest call, with the calls that overlap it
  #cachedTokens = 0; // of all calls before `#calls`

  annotate(record: MeterRecord, monoMs: number, context: PromptContext): MeterRecord {
    // After a session record, nothing counts as cached: the client may be new.
    if (record.type === "session") this.#calls.beganMs = -Infinity;
    if (record.type === "definitions" && record.is_complete) this.#addList(record, monoMs, context);
    if (record.type !== "call" || record.method === "sampling/createMessage") return record;
    const change =
      record.method === "tools/call" ? this.#addCall(record, monoMs, context) : undefined;
    // Leaves out an answer of unknown visibility: perhaps only a script of the client read it, not the model.
    if (record.visible !== "unknown") this.#calls.tokens += record.total_tokens;
    return change ? { ...record, list_change: change } : record;
  }

  #addList(record: DefinitionsRecord, sinceMs: number, { rules }: PromptContext): void {
    const newest = this.#lists.at(-1)?.list;
    const list = makePromptList(record, newest, rules);
    if (newest && findFirstChange(newest, list) === undefined) return;
    this.#lists.push({ list, sinceMs });
    if (this.#lists.length <= followedListsMax) return;
    this.#lists = this.#lists.slice(-1);
    this.#calls.beganMs = -Infinity;
  }

  #addCall(call: CallRecord, endedMs: number, context: PromptContext): ListChange | undefined {
    const conversation = call.thread_id_sha256 ?? call.client_session_id_sha256;
    if (conversation !== this.#conversation) {
      this.#conversation = conversation;
      this.#calls = { ...noCalls };
      this.#cachedTokens = 0;
    }
    const beganMs = endedMs - call.duration_ms;
    // A call that overlaps the newest calls comes from the same response of the model.
    if (beganMs < this.#calls.endedMs) {
      this.#calls.endedMs = Math.max(this.#calls.endedMs, endedMs);
      return undefined;
    }
    const change = this.#findChange(beganMs, context);
    this.#cachedTokens += this.#calls.tokens;
    this.#calls = { beganMs, endedMs, tokens: 0 };
    return change;
  }

  #findChange(beganMs: number, { windowTokens }: PromptContext): ListChange | undefined {
    const current = this.#lists.findLastIndex(({ sinceMs }) => sinceMs <= beganMs);
    if (current <= 0) return undefined;
    const [before, after] = [this.#lists[0]?.list, this.#lists[current]?.list];
    this.#lists = this.#lists.slice(current);
    const isCached = beganMs - this.#calls.beganMs <= cachedPromptMaxMs;
    const changed = isCached && before && after ? findFirstChange(before, after) : undefined;
    if (!before || !after || changed === undefined) return undefined;
    const tokens = countRewrittenTokens(before, after, changed) + this.#cachedTokens;
    if (tokens === 0) return undefined;
    const kind = hasSameTools(before, after) ? "order" : "tools";
    return { kind, rewritten_tokens: Math.min(tokens, windowTokens) };
  }
}

// Leaves out deferred definitions. A definition that a client loads later is added at the end of the prompt.
function makePromptList(
  record: DefinitionsRecord,
  newest: PromptList | undefined,
  { sortsTools, keepsTools }: PromptContext["rules"],
): PromptList {
  const listed = record.tools.filter(
    (tool) => !record.is_deferred || countTokensToLoad(tool) === 0,
  );
  const before = new Map(newest?.tools.map((tool) => [tool.name, tool]));
  const shown = new Map<string, ToolDefinition>(keepsTools ? before : []);
  for (const tool of listed) {
    const earlier = before.get(tool.name);
    const isUnchanged = earlier && (keepsTools === true || isSameForModel(earlier, tool));
    shown.set(tool.name, isUnchanged ? earlier : tool);
  }
  const tools = [...shown.values()];
  if (sortsTools) tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  const definitionTokens = listed.reduce((sum, tool) => sum + countInPrompt(tool), 0);
  return { tools, instructionTokens: Math.max(0, record.resident_tokens - definitionTokens) };
}

// Also true if `wire_only_tokens` is the only count that changed: models do not read `outputSchema`, `annotations` and
// the like. False if only `sha256` changed: probably a text that models read, such as a date, was replaced by one of
// equal length.
function isSameForModel(a: ToolDefinition, b: ToolDefinition): boolean {
  const isSameSize =
    a.description_tokens === b.description_tokens && a.schema_tokens === b.schema_tokens;
  return a.sha256 === b.sha256 || (isSameSize && a.wire_only_tokens !== b.wire_only_tokens);
}

function countInPrompt({ tokens, context_tokens: context }: ToolDefinition): number {
  return context ?? tokens;
}

function findFirstChange({ tools: before }: PromptList, { tools: after }: PromptList) {
  const changed = after.findIndex((tool, at) => tool.sha256 !== before[at]?.sha256);
  if (changed >= 0) return changed;
  return before.length > after.length ? after.length : undefined;
}

// Counts the instructions and, from `index` on, the definitions. Leaves out new ones: they were never cached.
function countRewrittenTokens(before: PromptList, after: PromptList, index: number): number {
  const known = new Set(before.tools.map(({ sha256 }) => sha256));
  return after.tools
    .slice(index)
    .filter(({ sha256 }) => known.has(sha256))
    .reduce(
      (sum, tool) => sum + countInPrompt(tool),
      Math.min(before.instructionTokens, after.instructionTokens),
    );
}

function hasSameTools(...lists: readonly PromptList[]): boolean {
  const [before, after] = lists.map(({ tools }) => tools.map(({ sha256 }) => sha256).toSorted());
  return String(before) === String(after);
}
