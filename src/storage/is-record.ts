import type { MeterRecord } from "#records/record.ts";
import { isObject, textAt } from "#wire/json.ts";
import * as compiled from "../../dist/validators/record.js";

const validators = new Map(Object.entries(compiled));

/**
 * True for a record of this major version, by the published schema. Members that a newer minor version
 * added are accepted.
 */
export function isRecord(value: unknown): value is MeterRecord {
  if (!isObject(value)) return false;
  return validators.get(textAt(value, "type") ?? "")?.(value) === true;
}
