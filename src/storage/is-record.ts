import type { ImportedRecord } from "#records/imported-record.ts";
import type { MeterRecord } from "#records/record.ts";
import { isObject, textAt } from "#wire/json.ts";
import * as imported from "../../dist/validators/imported-record.js";
import * as compiled from "../../dist/validators/record.js";

const validators = new Map(Object.entries(compiled));

const importedValidators = new Map(Object.entries(imported));

/** True for an imported record, by its published schema; of newer minor versions too. */
export function isImportedRecord(value: unknown): value is ImportedRecord {
  if (!isObject(value)) return false;
  return importedValidators.get(textAt(value, "type") ?? "")?.(value) === true;
}

/**
 * True for a record of this major version, by the published schema. Members that a newer minor version
 * added are accepted.
 */
export function isRecord(value: unknown): value is MeterRecord {
  if (!isObject(value)) return false;
  return validators.get(textAt(value, "type") ?? "")?.(value) === true;
}
