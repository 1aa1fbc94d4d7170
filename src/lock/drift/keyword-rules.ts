import { isEqual } from "#wire/json-equal.ts";

/** The effect of a change on the values that a schema allows: fewer, more, or others. */
export type Effect = "narrowed" | "widened" | "changed";

/** A change of one keyword: its effect, and the verb that a report has for it. */
type KeywordChange = { readonly effect: Effect; readonly verb: string };

/** Compares the two values of one keyword, where `undefined` is its absence; undefined when they allow the same. */
export type KeywordRule = (before: unknown, after: unknown) => KeywordChange | undefined;

const added: KeywordChange = { effect: "narrowed", verb: "added" };
const removed: KeywordChange = { effect: "widened", verb: "removed" };
const changed: KeywordChange = { effect: "changed", verb: "changed" };

/** A keyword that allows fewer values the larger its number is; absence is the same as `neutral`. */
function lowerBound(neutral?: number): KeywordRule {
  return (rawBefore, rawAfter) => {
    const [before, after] = [rawBefore ?? neutral, rawAfter ?? neutral];
    if (before === after) return undefined;
    if (rawAfter === undefined) return removed;
    if (rawBefore === undefined) return added;
    if (typeof before !== "number" || typeof after !== "number") return changed;
    return after > before
      ? { effect: "narrowed", verb: "raised" }
      : { effect: "widened", verb: "lowered" };
  };
}

/** A keyword that allows fewer values the smaller its number is. */
const upperBound: KeywordRule = (before, after) => {
  if (before === after) return undefined;
  if (after === undefined) return removed;
  if (before === undefined) return added;
  if (typeof before !== "number" || typeof after !== "number") return changed;
  return after < before
    ? { effect: "narrowed", verb: "lowered" }
    : { effect: "widened", verb: "raised" };
};

/** A keyword of which two different values cannot be compared, such as a pattern. */
const exact: KeywordRule = (before, after) => {
  if (isEqual(before, after)) return undefined;
  if (after === undefined) return removed;
  return before === undefined ? added : changed;
};

/** A keyword whose effect depends on others: after any change, callers must look. */
const undecided: KeywordRule = (before, after) => {
  if (isEqual(before, after)) return undefined;
  if (after === undefined) return { effect: "changed", verb: "removed" };
  return { effect: "changed", verb: before === undefined ? "added" : "changed" };
};

const multipleOf: KeywordRule = (before, after) => {
  const change = exact(before, after);
  if (change?.effect !== "changed" || typeof before !== "number" || typeof after !== "number") {
    return change;
  }
  if (after % before === 0) return { effect: "narrowed", verb: "changed" };
  return before % after === 0 ? { effect: "widened", verb: "changed" } : change;
};

const uniqueItems: KeywordRule = (before, after) => {
  const [was, is] = [before === true, after === true];
  if (was === is) return undefined;
  return is ? added : removed;
};

/** The rule of each keyword that limits values by itself. */
export const keywordRules: ReadonlyMap<string, KeywordRule> = new Map([
  ["minimum", lowerBound()],
  ["exclusiveMinimum", lowerBound()],
  ["minLength", lowerBound(0)],
  ["minItems", lowerBound(0)],
  ["minProperties", lowerBound(0)],
  ["maximum", upperBound],
  ["exclusiveMaximum", upperBound],
  ["maxLength", upperBound],
  ["maxItems", upperBound],
  ["maxProperties", upperBound],
  ["multipleOf", multipleOf],
  ["uniqueItems", uniqueItems],
  ["pattern", exact],
  ["format", exact],
  ["contentEncoding", exact],
  ["contentMediaType", exact],
  ["contentSchema", undecided],
  ["not", undecided],
  ["if", undecided],
  ["then", undecided],
  ["else", undecided],
  ["contains", undecided],
  ["minContains", undecided],
  ["maxContains", undecided],
  ["propertyNames", undecided],
  ["patternProperties", undecided],
  ["dependencies", undecided],
  ["dependentRequired", undecided],
  ["dependentSchemas", undecided],
  ["unevaluatedItems", undecided],
  ["unevaluatedProperties", undecided],
  ["additionalItems", undecided],
  ["$dynamicRef", undecided],
  ["$recursiveRef", undecided],
]);
