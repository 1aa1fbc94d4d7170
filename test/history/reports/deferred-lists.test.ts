import { expect, test } from "bun:test";
import { deferredToolsMax, DeferredLists } from "#history/reports/definition-lists.ts";
import { definitionsRecord, toolDefinition } from "../../support/made-records.ts";

const makeTools = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => toolDefinition(`${name}${at}`, 5));

test("equal lists are stored once, with the tokens that the client shows", () => {
  const lists = new DeferredLists();
  const tools = [
    { ...toolDefinition("search", 100), context_tokens: 90 },
    toolDefinition("fetch", 60),
  ];
  const list = lists.share(definitionsRecord({ tools }));
  expect(list).toEqual(
    new Map([
      ["search", 90],
      ["fetch", 60],
    ]),
  );
  expect(lists.share(definitionsRecord({ tools, seq: 9 }))).toBe(list);
  expect(lists.share(definitionsRecord({ tools: tools.slice(1) }))).not.toBe(list);
});

test(`${deferredToolsMax} tools are stored, further lists are not`, () => {
  const lists = new DeferredLists();
  const first = definitionsRecord({ tools: makeTools(deferredToolsMax - 1, "a") });
  expect(lists.share(first)?.size).toBe(deferredToolsMax - 1);
  expect(lists.share(definitionsRecord({ tools: makeTools(2, "b") }))).toBeUndefined();
  expect(lists.share(definitionsRecord({ tools: makeTools(1, "b") }))?.size).toBe(1);
  expect(lists.share(first)?.size).toBe(deferredToolsMax - 1);
});
