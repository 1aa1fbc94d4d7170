import { plural } from "#text/numbers.ts";
import { isEqual } from "#wire/json-equal.ts";
import type { Change } from "../drift.ts";
import type { Lock, LockedTool } from "../lock.ts";
import { valueTexts } from "./values.ts";

/** A value that does not follow from the lock's definitions. */
export type LockEdit = Change & {
  /** Null outside the tools. */
  readonly tool: string | null;
};

/** The first wrong value and the number of the others. An edit and another version of mcp-meter look alike. */
export function findLockEdit(written: Lock, derived: Lock): LockEdit | undefined {
  const [first, ...others] = wrongValues(written, derived);
  if (!first) return undefined;
  const { tool, place, before, after } = first;
  const subject =
    others.length === 0 ? `${place} is` : `${place} and ${plural(others.length, "more value")} are`;
  return {
    tool,
    what: `the lock was edited, or another version wrote it: ${subject} wrong; write it again`,
    ...valueTexts({ before, after }),
  };
}

type WrongValue = {
  readonly tool: string | null;
  /** `total_tokens`, `tokens.schema`. */
  readonly place: string;
  readonly before: unknown;
  readonly after: unknown;
};

function wrongValues(written: Lock, derived: Lock): WrongValue[] {
  const { tools, instructions, ...rest } = written;
  const { tools: others, instructions: otherInstructions, ...otherRest } = derived;
  // A lock whose hashes are not those of its definitions is not read.
  const bySha = new Map(others.map((tool) => [tool.sha256, tool]));
  return [
    ...differences(rest, otherRest),
    ...differences(instructions, otherInstructions, "instructions."),
    ...tools.flatMap((tool) => toolDifferences(tool, bySha.get(tool.sha256))),
    ...differences({ "order of tools": order(tools) }, { "order of tools": order(others) }),
  ];
}

function toolDifferences(written: LockedTool, derived: LockedTool | undefined): WrongValue[] {
  const { tokens, fields, ...rest } = written;
  const { tokens: otherTokens = {}, fields: otherFields = {}, ...otherRest } = derived ?? {};
  return [
    ...differences(rest, otherRest),
    ...differences(tokens, otherTokens, "tokens."),
    ...differences(fields, otherFields, "fields."),
  ].map((wrong) => ({ ...wrong, tool: written.name }));
}

function differences(written: object, derived: object, prefix: string = ""): WrongValue[] {
  const [was, is] = [new Map(Object.entries(written)), new Map(Object.entries(derived))];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) => {
    const [before, after]: readonly unknown[] = [was.get(name), is.get(name)];
    return isEqual(before, after) ? [] : [{ tool: null, place: `${prefix}${name}`, before, after }];
  });
}

function order(tools: readonly LockedTool[]): readonly string[] {
  return tools.map(({ sha256 }) => sha256);
}
