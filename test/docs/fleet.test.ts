import schema from "#records/record.schema.json";
import { expect, test } from "bun:test";
import { parse } from "jsonc-parser";
import { codeBlocks, readDocument, section, tableRows } from "./documents.ts";
import { fieldRows } from "./schema-fields.ts";
import { runCommand } from "#commands/run/index.ts";
import { readPolicy } from "#state/storage/config/policy.ts";
import { readConfig } from "../support/configs.ts";

const text = readDocument("docs/fleet.md");

function textFields(): string[] {
  const rows = Object.values<unknown>(schema.$defs).flatMap((definition) => fieldRows(definition));
  const texts = rows.filter(([, type = ""]) => /\btext\b|list of values/.test(type));
  return [...new Set(texts.map(([field = ""]) => field))].toSorted();
}

test("the privacy statement names each text in records, once", () => {
  const rows = tableRows(section(text, "## Privacy statement"));
  const named = rows.flatMap(([, fields = ""]) =>
    [...fields.matchAll(/`([^`]+)`/g)].map(([, field = ""]) => field),
  );
  expect(named.toSorted()).toEqual(textFields());
});

test("the examples of policies lock members that there are", () => {
  const examples = [
    ...codeBlocks(text, "jsonc"),
    ...[...text.matchAll(/<< 'POLICY'\n([^]*?)\nPOLICY/g)].map(([, json = ""]) => json),
  ];
  expect(examples).toHaveLength(2);
  for (const example of examples) {
    const { locked } = parse(example, [], { allowTrailingComma: true });
    expect(policyMembers(locked)).toEqual([]);
  }
});

function policyMembers(locked: readonly string[]): readonly string[] {
  const configs = [readConfig("system", {}, { locked })];
  return readPolicy(configs, runCommand.options).unknown.map(({ fault }) => fault);
}
