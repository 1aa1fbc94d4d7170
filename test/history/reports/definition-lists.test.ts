import { expect, test } from "bun:test";
import { listedToolsMax, DefinitionLists } from "#history/reports/definition-lists.ts";
import { definitionsRecord, toolDefinition } from "../../support/made-records.ts";

test("equal lists of two sessions share one object", () => {
  const lists = new DefinitionLists();
  const first = lists.share(definitionsRecord({ session_id: "a", seq: 1 }));
  const second = lists.share(
    definitionsRecord({ session_id: "b", ts: "2026-09-02T00:00:00.000Z" }),
  );
  expect(first).toBe(second);
  expect(lists.share(definitionsRecord({ server: "other" }))).not.toBe(first);
  expect(first).not.toHaveProperty("session_id");
});

test(`${listedToolsMax} tools fit; beyond that, a known list is still shared`, () => {
  const lists = new DefinitionLists();
  const tools = Array.from({ length: listedToolsMax }, (_, at) => toolDefinition(`t${at}`, 1));
  expect(lists.share(definitionsRecord({ tools }))).toBeDefined();
  expect(lists.share(definitionsRecord())).toBeUndefined();
  expect(lists.share(definitionsRecord({ tools, session_id: "b" }))).toBeDefined();
});
