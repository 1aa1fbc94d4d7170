import { describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import importedSchema from "#records/imported-record.schema.json";
import schema from "#records/record.schema.json";
import { Folder } from "../support/folder.ts";
import { allRecordsIn } from "../support/records.ts";
import { readDocument, section, tableRows } from "./documents.ts";
import { fieldRows } from "./schema-fields.ts";

const text = readDocument("docs/records.md");
const types = Object.entries<unknown>(schema.$defs);
const importedTypes = Object.entries<unknown>(importedSchema.$defs);
const common = ["schema_version", "ts", "session_id", "seq", "server"];
const importedCommon = ["schema_version", "ts", "session_id", "seq", "conversation_id"];

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

test("the fields of every imported record", () => {
  const [, first] = importedTypes[0] ?? [];
  const wanted = fieldRows(first).filter(([field = ""]) =>
    ["type", ...importedCommon].includes(field),
  );
  expect(documented("## Imported records")).toEqual(
    wanted.map(([field = "", type = ""]) => [field, field === "type" ? "text" : type]),
  );
});

describe("the fields of imported", () => {
  for (const [name, definition] of importedTypes) {
    test(name, () => {
      const wanted = fieldRows(definition).filter(
        ([field = ""]) => field !== "type" && !importedCommon.includes(field),
      );
      expect(documented(`## ${name}`)).toEqual(wanted);
    });
  }
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
  const headings = [...text.matchAll(/^## ([a-z_]+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual([...types, ...importedTypes].map(([name]) => name));
});

test("every field has a meaning", () => {
  const rows = text.split("\n").filter((line) => line.startsWith("| `"));
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([]);
});

test("the program for Node adds up the tokens of a recorded file, and skips a torn line", async () => {
  const [, program = ""] = /```js\n([\s\S]*?)```/.exec(text) ?? [];
  using folder = new Folder();
  symlinkSync(join(import.meta.dir, "../../node_modules"), folder.at("node_modules"));
  const recorded = readDocument("test/golden/everything-v2-auto/records.ndjson");
  const records = await allRecordsIn(recorded);
  const wanted: Record<string, number> = {};
  for (const { type, tool, total_tokens: tokens } of records)
    if (type === "call") wanted[String(tool)] = (wanted[String(tool)] ?? 0) + Number(tokens);
  const log = folder.file("records.ndjson", `${recorded.slice(0, 80)}\n${recorded}`);
  const node = Bun.which("node") ?? process.execPath;
  const { stdout } = await execa(node, [folder.file("tokens.mjs", program), log]);
  expect(Object.keys(wanted).length).toBeGreaterThan(2);
  expect(JSON.parse(stdout)).toEqual(wanted);
});
