import { isObject, type JsonObject } from "#wire/json.ts";
import type { DriftKind } from "../severity.ts";
import { changeOf, kindAt, type DefinitionChange } from "./definition-change.ts";
import type { Pair, PartChanges } from "./parts.ts";
import { nameOf, propertyOf, type SchemaPlace, type SchemaSide } from "./place.ts";

/** A property as a schema has it. */
type Property = { readonly schema: unknown; readonly isRequired: boolean };

/** Compares `properties` and `required` of two schemas of one place. */
export function propertyChanges(
  before: JsonObject,
  after: JsonObject,
  place: SchemaPlace,
): PartChanges {
  const [was, is] = [propertiesOf(before), propertiesOf(after)];
  const changes: DefinitionChange[] = [];
  const pairs: Pair[] = [];
  for (const name of new Set([...was.keys(), ...is.keys()])) {
    const where = propertyOf(place, name);
    const [old, now] = [was.get(name), is.get(name)];
    if (!now || isSchemaLost(old, now)) changes.push(removal(old, where));
    else if (!old) changes.push(addition(now, where));
    else {
      if (old.isRequired !== now.isRequired) changes.push(requirement(now.isRequired, where));
      pairs.push({ values: { before: old.schema, after: now.schema }, place: where });
    }
  }
  return { changes, pairs };
}

/** Properties by name, also those that are required without a schema. */
function propertiesOf(schema: JsonObject): ReadonlyMap<string, Property> {
  const rawNames = schema["required"];
  const required = new Set<unknown>(Array.isArray(rawNames) ? rawNames : []);
  const schemas = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const found = new Map<string, Property>();
  for (const [name, one] of schemas) {
    found.set(name, { schema: one, isRequired: required.has(name) });
  }
  for (const name of required) {
    if (typeof name !== "string" || found.has(name)) continue;
    found.set(name, { schema: undefined, isRequired: true });
  }
  return found;
}

/** A property that is only required any more is removed: its caller can send nothing that fits. */
function isSchemaLost(old: Property | undefined, now: Property): boolean {
  return old?.schema !== undefined && now.schema === undefined;
}

function removal(old: Property | undefined, place: SchemaPlace): DefinitionChange {
  const kind = place.side === "input" ? "parameter_removed" : "field_removed";
  const values = { before: describe(old), after: undefined };
  return changeOf(kind, `${nameOf(place)} removed`, values);
}

function addition(now: Property, place: SchemaPlace): DefinitionChange {
  const values = { before: undefined, after: describe(now) };
  if (place.side === "output") return changeOf("field_added", `new ${nameOf(place)}`, values);
  const kind = now.isRequired ? "required_parameter_added" : "parameter_added";
  const what = `new ${now.isRequired ? "required" : "optional"} ${nameOf(place)}`;
  return changeOf(kind, what, values);
}

/** A caller must send a required parameter, and relies on a required field. */
function requirement(isRequired: boolean, place: SchemaPlace): DefinitionChange {
  const [optional, required] = ["optional", "required"];
  const values = isRequired
    ? { before: optional, after: required }
    : { before: required, after: optional };
  const what = `${nameOf(place)} became ${isRequired ? required : optional}`;
  return { ...values, what, kind: kindAt(place, requirementKind(place.side, isRequired)) };
}

function requirementKind(side: SchemaSide, isRequired: boolean): DriftKind {
  if (side === "output") return isRequired ? "field_became_required" : "field_became_optional";
  return isRequired ? "parameter_became_required" : "parameter_became_optional";
}

/** `required string`, `optional, any type`. */
function describe(property: Property | undefined): string {
  const schema = property?.schema;
  const type = isObject(schema) ? schema["type"] : undefined;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  const word = property?.isRequired === true ? "required" : "optional";
  return types.length > 0 ? `${word} ${types.join(" or ")}` : `${word}, any type`;
}
