// docs/records.md lists every field of the schema, in the same order, with its type.
import { describe, expect, test } from "bun:test";
import schema from "#records/record.schema.json";
import { readDocument, section, tableRows } from "./documents.ts";
import { fieldRows } from "./schema-fields.ts";

const text = readDocument("docs/records.md");
const types = Object.entries<unknown>(schema.$defs);
const common = ["schema_version", "ts", "session_id", "seq", "server"];

/** Name and type of each row, without the code marks. */
function documented(heading: string): string[][] {
  return tableRows(section(text, heading)).map(([field = "", type = ""]) => [
    field.replaceAll("`", ""),
    type.replaceAll("`", ""),
  ]);
}

test("the fields of every record", () => {
  const [, first] = types[0] ?? [];
  const wanted = fieldRows(first).filter(([field = ""]) => ["type", ...common].includes(field));
  expect(documented("## On every record")).toEqual(
    wanted.map(([field = "", type = ""]) => [field, field === "type" ? "text" : type]),
  );
});

describe("the fields of", () => {
  for (const [name, definition] of types) {
    test(name, () => {
      const wanted = fieldRows(definition).filter(
        ([field = ""]) => field !== "type" && !common.includes(field),
      );
      expect(documented(`## ${name}`)).toEqual(wanted);
    });
  }
});

test("lists exactly the types of the schema", () => {
  const headings = [...text.matchAll(/^## ([a-z]+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(types.map(([name]) => name));
});

test("every field has a meaning", () => {
  const rows = text.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
});
