import type { ImportedRecord } from "#records/imported-record.ts";
import type { MeterRecord } from "#records/record.ts";
import { isObject, textAt } from "#wire/json.ts";
import * as imported from "../../../dist/validators/imported-record.js";
import * as compiled from "../../../dist/validators/record.js";

const validators = new Map(Object.entries(compiled));

const importedValidators = new Map(Object.entries(imported));

export function isImportedRecord(value: unknown): value is ImportedRecord {
  if (!isObject(value)) return false;
  return importedValidators.get(textAt(value, "type") ?? "")?.(value) === true;
}

export function isRecord(value: unknown): value is MeterRecord {
  if (!isObject(value)) return false;
  return validators.get(textAt(value, "type") ?? "")?.(value) === true;
}
