import type { Lock } from "./lock.ts";
import type { DefinitionsRecord } from "./record.ts";

/** One tool that is not as its lock has it. */
export type ListDrift = {
  readonly tool: string;
  readonly change: "changed" | "added" | "removed";
};

/**
 * How the list a running server gives differs from its lock, by hash. A list that is empty or not
 * complete tells nothing about what was removed.
 */
export function compareWithLock(
  definitions: Pick<DefinitionsRecord, "tools" | "is_complete">,
  lock: Pick<Lock, "tools">,
): ListDrift[] {
  const locked = hashesByName(lock.tools);
  const listed = hashesByName(definitions.tools);
  const drifts: ListDrift[] = [];
  for (const [tool, hashes] of listed) {
    const known = locked.get(tool);
    if (!known) drifts.push({ tool, change: "added" });
    else if (hashes !== known) drifts.push({ tool, change: "changed" });
  }
  const isWhole = definitions.is_complete && definitions.tools.length > 0;
  const gone = isWhole ? [...locked.keys()].filter((tool) => !listed.has(tool)) : [];
  return [...drifts, ...gone.map((tool): ListDrift => ({ tool, change: "removed" }))];
}

/** Several tools of one name are held against their lock together. */
function hashesByName(
  tools: readonly { readonly name: string; readonly sha256: string }[],
): Map<string, string> {
  const hashes = new Map<string, string[]>();
  for (const { name, sha256 } of tools) hashes.set(name, [...(hashes.get(name) ?? []), sha256]);
  return new Map([...hashes].map(([name, all]) => [name, all.toSorted().join(" ")]));
}
