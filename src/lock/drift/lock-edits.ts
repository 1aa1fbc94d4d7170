import { plural } from "#kit/text/numbers.ts";
import { isObject } from "#wire/json.ts";
import type { Change } from "../drift.ts";
import type { Lock } from "../lock.ts";
import { valueTexts, type Values } from "./change.ts";
import { differingMembers } from "./definition-changes.ts";

/** A value that does not follow from the lock's definitions. */
export type LockEdit = Change & {
  /** Null outside the tools. */
  readonly tool: string | null;
};

type WrongValue = Values & {
  readonly tool: string | null;
  /** `total_tokens`, `tokens.schema`. */
  readonly place: string;
};

/** The first wrong value and the number of the others. An edit and another version of mcp-meter look alike. */
export function findLockEdit(written: Lock, derived: Lock): LockEdit | undefined {
  // A lock whose hashes are not those of its definitions is not read.
  const bySha = new Map(derived.tools.map((tool) => [tool.sha256, tool]));
  const [first, ...others] = [
    ...wrongValues(null, { ...written, tools: [] }, { ...derived, tools: [] }),
    ...written.tools.flatMap((tool) => wrongValues(tool.name, tool, bySha.get(tool.sha256))),
  ];
  if (!first) return undefined;
  const { tool, place, ...values } = first;
  const more = others.length === 0 ? " is" : ` and ${plural(others.length, "more value")} are`;
  const what = `the lock was edited, or another version wrote it: ${place}${more} wrong; write it again`;
  return { tool, what, ...valueTexts(values) };
}

function wrongValues(
  tool: string | null,
  written: unknown,
  derived: unknown,
  path: string = "",
): WrongValue[] {
  return differingMembers(written, derived).flatMap(([name, { before, after }]) => {
    const place = `${path}${name}`;
    if (isObject(before) && isObject(after)) return wrongValues(tool, before, after, `${place}.`);
    return [{ tool, place, before, after }];
  });
}
