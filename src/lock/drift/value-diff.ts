import { canonicalJson } from "#wire/canonical.ts";
import { isObject, memberAt, type JsonObject } from "#wire/json.ts";
import { diffFrom, diffLists, type RawLine, type TextDiff } from "./text-diff.ts";

/** Removed and added values below their names, without commas, so that only changed values differ. */
export function diffValues(before: JsonObject, after: JsonObject): TextDiff {
  return diffFrom(memberLines(before, after, 0));
}

/** `name` is undefined in a list. */
type Spot = { readonly name: string | undefined; readonly depth: number };

function memberLines(before: JsonObject, after: JsonObject, depth: number): RawLine[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].toSorted().flatMap((name) => {
    const values = [memberAt(before, name), memberAt(after, name)] as const;
    return valueLines(values, { name, depth });
  });
}

function valueLines([before, after]: readonly [unknown, unknown], spot: Spot): RawLine[] {
  if (isObject(before) && isObject(after)) {
    return below("{", spot, memberLines(before, after, spot.depth + 1));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    return below("[", spot, elementLines(before, after, spot.depth + 1));
  }
  if (before === after) return [];
  return [...wholeLines("-", before, spot), ...wholeLines("+", after, spot)];
}

function below(brace: string, spot: Spot, lines: RawLine[]): RawLine[] {
  return lines.length === 0 ? [] : [{ sign: " ", text: `${indentAt(spot)}${brace}` }, ...lines];
}

function elementLines(
  before: readonly unknown[],
  after: readonly unknown[],
  depth: number,
): RawLine[] {
  const spot = { name: undefined, depth };
  return replacements(before, after).flatMap(({ removed, added }) => {
    // As many elements in place of others: each is compared with its successor.
    if (removed.length === added.length) {
      return removed.flatMap((one, at) => valueLines([one, added[at]], spot));
    }
    const gone = removed.flatMap((one) => wholeLines("-", one, spot));
    return [...gone, ...added.flatMap((one) => wholeLines("+", one, spot))];
  });
}

type Replacement = { readonly removed: readonly unknown[]; readonly added: readonly unknown[] };

function replacements(before: readonly unknown[], after: readonly unknown[]): Replacement[] {
  const runs = diffLists(before.map(canonicalJson), after.map(canonicalJson));
  if (!runs) return [{ removed: before, added: after }];
  const found: Replacement[] = [];
  let [was, is] = [0, 0];
  let [removed, added] = [0, 0];
  // The last run of equal elements may be empty.
  for (const { sign, count } of [...runs, { sign: " ", count: 0 } as const]) {
    if (sign === "-") removed += count;
    else if (sign === "+") added += count;
    else {
      found.push({
        removed: before.slice(was, was + removed),
        added: after.slice(is, is + added),
      });
      [was, is] = [was + removed + count, is + added + count];
      [removed, added] = [0, 0];
    }
  }
  return found;
}

function wholeLines(sign: "-" | "+", value: unknown, spot: Spot): RawLine[] {
  if (value === undefined) return [];
  const sorted: unknown = JSON.parse(canonicalJson(value));
  const [first = "", ...rest] = JSON.stringify(sorted, undefined, 2).split("\n");
  const margin = "  ".repeat(spot.depth);
  return [`${indentAt(spot)}${first}`, ...rest.map((line) => `${margin}${line}`)].map((line) => ({
    sign,
    text: line.replace(/,$/, ""),
  }));
}

function indentAt({ name, depth }: Spot): string {
  return `${"  ".repeat(depth)}${name === undefined ? "" : `${JSON.stringify(name)}: `}`;
}
