import { isEqual } from "#wire/json-equal.ts";
import { isObject, memberAt, textAt, type JsonObject } from "#wire/json.ts";
import { changeOf, type DefinitionChange, type Values } from "./definition-change.ts";
import { memberChange } from "./definition-changes.ts";
import { schemaChanges } from "./schema-changes.ts";

export function offeredChanges(before: JsonObject, after: JsonObject): DefinitionChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const values = { before: memberAt(before, key), after: memberAt(after, key) };
    if (isEqual(values.before, values.after)) return [];
    return key === "arguments" ? argumentChanges(values) : memberChange(key, values);
  });
}

// Arguments are compared as parameters, and as a whole where their list is invalid.
function argumentChanges(values: Values): DefinitionChange[] {
  const [was, is] = [parametersIn(values.before), parametersIn(values.after)];
  const whole = changeOf("text_changed", "arguments changed", values);
  if (!was || !is) return [whole];
  const changes = schemaChanges("input", { before: schemaFor(was), after: schemaFor(is) });
  if (isSameOrder(was, is)) return changes.length > 0 ? changes : [whole];
  // Some clients assign the words after a command by position.
  const order = { before: [...was.keys()], after: [...is.keys()] };
  return [...changes, changeOf("text_changed", "order of arguments changed", order)];
}

/** Undefined when a name is missing or repeated, or `required` is unreadable. */
function parametersIn(value: unknown = []): ReadonlyMap<string, JsonObject> | undefined {
  if (!Array.isArray(value)) return undefined;
  const found = new Map<string, JsonObject>();
  for (const one of value) {
    const name = textAt(one, "name");
    if (!isObject(one) || name === undefined || found.has(name)) return undefined;
    if (!["boolean", "undefined"].includes(typeof one["required"])) return undefined;
    found.set(name, one);
  }
  return found;
}

function schemaFor(parameters: ReadonlyMap<string, JsonObject>): JsonObject {
  const entries = [...parameters].map(([name, { name: _name, required: _required, ...schema }]) => [
    name,
    schema,
  ]);
  const required = [...parameters].filter(([, one]) => one["required"] === true);
  return {
    type: "object",
    properties: Object.fromEntries(entries),
    required: required.map(([name]) => name),
    additionalProperties: false,
  };
}

/** The names in both have the same order. */
function isSameOrder(
  one: ReadonlyMap<string, unknown>,
  other: ReadonlyMap<string, unknown>,
): boolean {
  const [before, after] = [
    [...one.keys()].filter((name) => other.has(name)),
    [...other.keys()].filter((name) => one.has(name)),
  ];
  return isEqual(before, after);
}
