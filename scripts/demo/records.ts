import { readFileSync } from "node:fs";
import Ajv2020 from "ajv/dist/2020";
import schema from "../../src/records/record.schema.json" with { type: "json" };

/** How many lines of a record file there are, and how many the published schema accepts. */
export function checkRecords(file: string): { readonly lines: number; readonly valid: number } {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return { lines: lines.length, valid: lines.filter((line) => validate(JSON.parse(line))).length };
}
