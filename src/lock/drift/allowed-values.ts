import { canonicalJson } from "#wire/canonical.ts";
import type { JsonObject } from "#wire/json.ts";
import type { Effect } from "./keyword-rules.ts";
import { listText } from "./values.ts";

/** A change of the values or types that a schema lists. */
export type ListChange = {
  readonly effect: Effect;
  /** `enum lost "b", "c"`, `type widened`. */
  readonly words: string;
};

/** The change of `enum` and `const`; undefined when they list the same values. */
export function listedValuesChange(before: JsonObject, after: JsonObject): ListChange | undefined {
  const [was, is] = [listedValues(before), listedValues(after)];
  if (!was && !is) return undefined;
  if (!was) return { effect: "narrowed", words: `only ${listText([...(is ?? []).values()])} now` };
  if (!is) return { effect: "widened", words: "any value now" };
  const lost = [...was].filter(([key]) => !is.has(key)).map(([, value]) => value);
  const gained = [...is].filter(([key]) => !was.has(key)).map(([, value]) => value);
  if (lost.length === 0 && gained.length === 0) return undefined;
  const words = [
    ...(lost.length > 0 ? [`lost ${listText(lost)}`] : []),
    ...(gained.length > 0 ? [`gained ${listText(gained)}`] : []),
  ];
  return {
    effect: effectOf(lost.length > 0, gained.length > 0),
    words: `enum ${words.join(", ")}`,
  };
}

/** The values that `enum` and `const` both allow, by their canonical JSON; undefined without either. */
export function listedValues(schema: JsonObject): ReadonlyMap<string, unknown> | undefined {
  const only = Object.hasOwn(schema, "const") ? byJson([schema["const"]]) : undefined;
  if (!Array.isArray(schema["enum"])) return only;
  const values = byJson(schema["enum"]);
  return only ? new Map([...values].filter(([key]) => only.has(key))) : values;
}

function byJson(values: readonly unknown[]): ReadonlyMap<string, unknown> {
  return new Map(values.map((value) => [canonicalJson(value), value]));
}

const everyType: readonly string[] = ["array", "boolean", "null", "number", "object", "string"];

/** The change of `type`; undefined when the same types are allowed. An integer is a number. */
export function typeChange(before: JsonObject, after: JsonObject): ListChange | undefined {
  const [was, is] = [typesOf(before), typesOf(after)];
  const isLost = was.some((type) => !isAllowedType(type, is));
  const isGained = is.some((type) => !isAllowedType(type, was));
  if (!isLost && !isGained) return undefined;
  const effect = effectOf(isLost, isGained);
  return { effect, words: `type ${effect}` };
}

function typesOf({ type }: JsonObject): readonly unknown[] {
  if (type === undefined) return everyType;
  return Array.isArray(type) ? type : [type];
}

/** True when a list of types has one, or a wider one. */
export function isAllowedType(type: unknown, types: readonly unknown[]): boolean {
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

function effectOf(isLost: boolean, isGained: boolean): Effect {
  if (isLost && isGained) return "changed";
  return isLost ? "narrowed" : "widened";
}
