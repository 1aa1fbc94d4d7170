import {
  diffTexts,
  type TextDiff,
  makeDiff,
  diffLines,
  type RawLine,
} from "#kit/text/difference.ts";
import type { Lock } from "../lock.ts";
import { findDifferingOffers, pickSingle } from "./server-drifts.ts";
import { canonicalizeJson, isObject, type JsonObject } from "#wire/json.ts";
import { findDifferingMembers } from "./definition-changes.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { type Change, formatValues, type BeforeAfter } from "./severity-rules.ts";

const diffsMax = 50;

export type LockDiff = TextDiff & {
  readonly tool: string | null; // null for instructions, prompts, resource templates and skills
  readonly title?: string;
};

export function diffLocks(locked: Lock, current: Lock): LockDiff[] {
  const diffs = [
    ...diffInstructions(locked, current),
    ...diffOffers(locked, current),
    ...diffTools(locked, current),
  ];
  return diffs.slice(0, diffsMax);
}

function diffInstructions(locked: Lock, current: Lock): LockDiff[] {
  const [before = "", after = ""] = [locked, current].map((lock) => lock.instructions.text);
  if (before === after) return [];
  return [{ tool: null, ...diffTexts(before, after) }];
}

function diffOffers(locked: Lock, current: Lock): LockDiff[] {
  const offers = findDifferingOffers(locked, current);
  return offers.slice(0, diffsMax).flatMap(({ title, before, after }) => {
    const [oldOffer, newOffer] = [pickSingle(before), pickSingle(after)];
    return oldOffer && newOffer ? [{ tool: null, title, ...diffValues(oldOffer, newOffer) }] : [];
  });
}

// Skips names that several current tools share, because it is unclear which tool to compare.
function diffTools(locked: Lock, current: Lock): LockDiff[] {
  const listed = Map.groupBy(current.tools, ({ name }) => name);
  const changed = locked.tools.filter(({ name, sha256 }) => {
    const sameName = listed.get(name) ?? [];
    return sameName.length === 1 && sameName[0]?.sha256 !== sha256;
  });
  return changed.slice(0, diffsMax).flatMap(({ name, definition: before }) => {
    const after = listed.get(name)?.[0]?.definition;
    return after ? [{ tool: name, ...diffValues(before, after) }] : [];
  });
}

export function diffValues(before: JsonObject, after: JsonObject): TextDiff {
  return makeDiff(diffMembers(before, after, ""));
}

function diffMembers(before: unknown, after: unknown, margin: string): RawLine[] {
  const members = findDifferingMembers(before, after).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return members.flatMap(([name, values]) => {
    const label = `${margin}${JSON.stringify(name)}: `;
    if (isObject(values.before) && isObject(values.after)) {
      const nested = diffMembers(values.before, values.after, `${margin}  `);
      return [{ sign: " ", text: `${label}{` } as const, ...nested];
    }
    const [oldLines = [], newLines = []] = [values.before, values.after].map((value) =>
      formatJsonLines(value, label, margin),
    );
    if (!Array.isArray(values.before) || !Array.isArray(values.after))
      return diffLines(oldLines.join("\n"), newLines.join("\n"));
    const elements = [oldLines, newLines].map((lines) => lines.slice(1, -1).join("\n"));
    return [{ sign: " ", text: `${label}[` }, ...diffLines(elements[0] ?? "", elements[1] ?? "")];
  });
}

// Drops commas at line ends, so that only changed values differ.
function formatJsonLines(value: unknown, label: string, margin: string): string[] {
  if (value === undefined) return [];
  const json = JSON.stringify(JSON.parse(canonicalizeJson(value)), undefined, 2);
  return `${label}${json.replace(/,$/gm, "").replaceAll("\n", `\n${margin}`)}`.split("\n");
}

// A lock's value that differs from the value computed from the lock's definitions.
export type LockEdit = Change & { readonly tool: string | null };

type WrongMember = BeforeAfter & { readonly tool: string | null; readonly path: string };

export function findLockEdit(written: Lock, derived: Lock): LockEdit | undefined {
  // Tools are matched by hash: a lock whose hashes contradict its definitions was rejected earlier.
  const derivedByHash = new Map(derived.tools.map((tool) => [tool.sha256, tool]));
  const [first, ...others] = [
    ...findWrongMembers(null, { ...written, tools: [] }, { ...derived, tools: [] }),
    ...written.tools.flatMap((tool) =>
      findWrongMembers(tool.name, tool, derivedByHash.get(tool.sha256)),
    ),
  ];
  if (!first) return undefined;
  const { tool, path, ...values } = first;
  const more = others.length === 0 ? " is" : ` and ${pluralize(others.length, "more value")} are`;
  const what = `the lock was edited by hand, or written by another version of mcp-meter: the value of ${path}${more} wrong; rewrite the lock`;
  return { tool, what, ...formatValues(values) };
}

function findWrongMembers(
  tool: string | null,
  written: unknown,
  derived: unknown,
  path: string = "",
): WrongMember[] {
  return findDifferingMembers(written, derived).flatMap(([name, { before, after }]) => {
    const location = `${path}${name}`;
    if (isObject(before) && isObject(after))
      return findWrongMembers(tool, before, after, `${location}.`);
    return [{ tool, path: location, before, after }];
  });
}
