import Ajv2020 from "ajv/dist/2020";
import schema from "#records/record.schema.json" with { type: "json" };
import type { MeterRecord } from "#records/record.ts";
import { isObject, textAt } from "#wire/json.ts";

/** Validators by record type; a newer minor version may add members, so further ones are allowed. */
const validators = new Map(
  Object.entries(schema.$defs).map(([type, definition]) => {
    const { additionalProperties: _none, ...open } = definition;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const version = { schema_version: { type: "string", pattern: "^1\\." } };
    const properties = { ...open.properties, ...version };
    return [type, ajv.compile({ ...open, properties })] as const;
  }),
);

/** True for a record of ours of this major version, by the schema that ships. */
export function isRecord(value: unknown): value is MeterRecord {
  if (!isObject(value)) return false;
  return validators.get(textAt(value, "type") ?? "")?.(value) === true;
}
