import type { Lock } from "./lock.ts";
import type { DefinitionsRecord, RecordBody } from "#records/record.ts";

// Each states how many tools differ.
const lockAlertsMax = 20;

export type ListDrift = {
  readonly tool: string;
  readonly change: "changed" | "added" | "removed";
};

/** By hash. An empty or incomplete list removes nothing. */
export function compareWithLock(
  definitions: Pick<DefinitionsRecord, "tools" | "view_tools" | "is_complete">,
  lock: Pick<Lock, "tools">,
): ListDrift[] {
  const locked = hashesByName(lock.tools);
  const listed = hashesByName([...definitions.tools, ...(definitions.view_tools ?? [])]);
  const drifts: ListDrift[] = [];
  for (const [tool, hashes] of listed) {
    const known = locked.get(tool);
    if (!known) drifts.push({ tool, change: "added" });
    else if (hashes !== known) drifts.push({ tool, change: "changed" });
  }
  const isWhole = definitions.is_complete && listed.size > 0;
  const gone = isWhole ? [...locked.keys()].filter((tool) => !listed.has(tool)) : [];
  return [...drifts, ...gone.map((tool): ListDrift => ({ tool, change: "removed" }))];
}

function hashesByName(
  tools: readonly { readonly name: string; readonly sha256: string }[],
): Map<string, string> {
  const hashes = new Map<string, string[]>();
  for (const { name, sha256 } of tools) hashes.set(name, [...(hashes.get(name) ?? []), sha256]);
  return new Map([...hashes].map(([name, all]) => [name, all.toSorted().join(" ")]));
}

export class LockWatch {
  readonly #lock: Pick<Lock, "tools">;

  constructor(lock: Pick<Lock, "tools">) {
    this.#lock = lock;
  }

  alertsFor(body: RecordBody): readonly RecordBody[] {
    if (body.type !== "definitions") return [];
    const drifts = compareWithLock(body, this.#lock);
    return drifts.slice(0, lockAlertsMax).map(({ tool, change }) => ({
      type: "alert",
      alert: "definitions_changed",
      tool,
      budget: null,
      limit: null,
      value: drifts.length,
      detail: details[change],
    }));
  }
}

const details: { readonly [change in ListDrift["change"]]: string } = {
  changed: "its definition has changed",
  added: "it is not in the lock",
  removed: "it is no longer listed",
};
