import { nameCharactersMax } from "#kit/limits.ts";
import {
  canonicalizeJson,
  isEqual,
  isObject,
  type JsonObject,
  readMember,
  readString,
} from "#wire/json.ts";
import type { Lock } from "./lock.ts";
import type { DefinitionsRecord, RecordBody } from "#records/record.ts";

export type LockVerdict =
  // Equal to the lock, or no list has arrived yet.
  | "same"
  | "changed"
  | "not locked"
  // The tool is in no remembered list, or its full name is unknown.
  | "not seen";

type PageFacts = { readonly isRepeated?: boolean; readonly mayBeRejected?: boolean };

type ListedTool = {
  readonly list: number;
  readonly hashes: string[];
  readonly staysChanged: boolean;
};

export class LockGuard {
  readonly #locked: ReadonlyMap<string, readonly string[]>;
  readonly #hash: (text: string) => string;
  readonly #listedTools = new Map<string, ListedTool>();
  #listNumber = 0; // 0 before the first page, readable or not
  #openRequests = 0;

  /** `hash` is hexadecimal SHA-256. */
  constructor({ tools }: Pick<Lock, "tools">, hash: (text: string) => string) {
    this.#locked = groupHashes(tools);
    this.#hash = hash;
  }

  // While a page of the list is awaited, an unreadable line may be that page.
  get isPageAwaited(): boolean {
    return this.#openRequests > 0;
  }

  noteRequest(): void {
    this.#openRequests += 1;
  }

  noteAnswer(): void {
    this.#openRequests -= 1;
  }

  // A page requested without a cursor begins a list, unless the request was already answered (`isRepeated`).
  // If a page `mayBeRejected`, the client may still use the earlier list. So a tool that is already `changed` stays
  // `changed`, even if the page lists its locked definition.
  addPage(cursor: string | undefined, result: unknown, page: PageFacts = {}): void {
    const tools = readMember(result, "tools");
    if (!Array.isArray(tools)) {
      this.forgetLists();
      return;
    }
    if (this.#listNumber === 0 || (cursor === undefined && page.isRepeated !== true)) {
      this.#listNumber += 1;
    }
    for (const tool of tools) if (isObject(tool)) this.#add(tool, page.mayBeRejected === true);
  }

  // Locked tools are then `not seen` until they are listed again.
  forgetLists(): void {
    this.#listNumber += 1;
    this.#listedTools.clear();
  }

  judgeTool(tool: string | null): LockVerdict {
    // A truncated name may belong to another tool.
    if (tool === null || tool.length >= nameCharactersMax) return "not seen";
    const locked = this.#locked.get(tool);
    if (!locked) return "not locked";
    const listed = this.#listedTools.get(tool);
    if (!listed) return this.#listNumber === 0 ? "same" : "not seen";
    return isSame(listed, locked) ? "same" : "changed";
  }

  #add(tool: JsonObject, mayBeRejected: boolean): void {
    const name = readString(tool, "name");
    const locked = name === undefined ? undefined : this.#locked.get(name);
    if (name === undefined || !locked) return;
    const previous = this.#listedTools.get(name);
    const staysChanged = mayBeRejected && previous !== undefined && !isSame(previous, locked);
    const current =
      previous?.list === this.#listNumber
        ? previous
        : { list: this.#listNumber, hashes: [], staysChanged };
    this.#listedTools.set(name, current);
    // A tool with one more definition than in the lock is already `changed`, so further definitions are not hashed.
    if (current.hashes.length <= locked.length)
      current.hashes.push(this.#hash(canonicalizeJson(tool)));
  }
}

function isSame({ hashes, staysChanged }: ListedTool, locked: readonly string[]): boolean {
  return !staysChanged && isEqual(hashes.toSorted(), locked);
}

const lockAlertsMax = 20;

export type ListDrift = {
  readonly tool: string;
  readonly change: "changed" | "added" | "removed";
};

export function compareWithLock(
  definitions: Pick<DefinitionsRecord, "tools" | "view_tools" | "hidden_tools" | "is_complete">,
  lock: Pick<Lock, "tools">,
): ListDrift[] {
  const locked = groupHashes(lock.tools);
  const { tools, view_tools: appOnlyTools = [], hidden_tools: hiddenTools = [] } = definitions;
  const listed = groupHashes([...tools, ...appOnlyTools, ...hiddenTools]);
  const drifts: ListDrift[] = [];
  for (const [tool, hashes] of listed) {
    const lockedHashes = locked.get(tool);
    if (!lockedHashes) drifts.push({ tool, change: "added" });
    else if (!isEqual(hashes, lockedHashes)) drifts.push({ tool, change: "changed" });
  }
  const isComplete = definitions.is_complete && listed.size > 0;
  const removedTools = isComplete ? [...locked.keys()].filter((tool) => !listed.has(tool)) : [];
  return [...drifts, ...removedTools.map((tool): ListDrift => ({ tool, change: "removed" }))];
}

// By name, the sorted hashes of all tools with that name.
function groupHashes(
  tools: readonly { readonly name: string; readonly sha256: string }[],
): ReadonlyMap<string, readonly string[]> {
  const groups = [...Map.groupBy(tools, ({ name }) => name)];
  return new Map(
    groups.map(([name, sameName]) => [name, sameName.map(({ sha256 }) => sha256).toSorted()]),
  );
}

export function makeLockAlerts(body: RecordBody, lock: Pick<Lock, "tools">): RecordBody[] {
  if (body.type !== "definitions") return [];
  const drifts = compareWithLock(body, lock);
  return drifts.slice(0, lockAlertsMax).map(({ tool, change }) => ({
    type: "alert",
    alert: "definitions_changed",
    tool,
    budget: null,
    limit: null,
    value: drifts.length,
    detail: changeDetails[change],
  }));
}

const changeDetails: { readonly [change in ListDrift["change"]]: string } = {
  changed: "its definition changed",
  added: "it is not in the lock",
  removed: "it is no longer listed",
};
