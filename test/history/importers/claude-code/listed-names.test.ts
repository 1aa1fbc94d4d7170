import { expect, test } from "bun:test";
import { parseListedNames, loggedNamesMax } from "#history/importers/claude-code.ts";

const names = (attachment: object) =>
  parseListedNames({ type: "attachment", attachment: { ...attachment } });

test("tools of servers are listed and taken back by their names, those of the client are not", () => {
  const found = names({
    type: "deferred_tools_delta",
    addedNames: ["WebFetch", "mcp__docs__search"],
    addedLines: ["mcp__docs__search: finds"],
    removedNames: ["mcp__docs__fetch"],
  });
  expect(found).toEqual({ added: ["mcp__docs__search"], removed: ["mcp__docs__fetch"] });
});

test.each([
  [{ type: "deferred_tools_delta" }],
  [{ type: "deferred_tools_delta", addedNames: "mcp__docs__search", removedNames: null }],
  [{ type: "deferred_tools_delta", addedNames: [7, null, {}, [], "Bash"] }],
  [{ type: "mcp_instructions_delta", addedNames: ["mcp__docs__search"] }],
])("%j lists nothing", (attachment) => {
  expect(names(attachment)).toBeUndefined();
});

test("names are bounded in number and length", () => {
  const many = Array.from({ length: loggedNamesMax + 1 }, (_, index) => `mcp__docs__t${index}`);
  expect(names({ type: "deferred_tools_delta", addedNames: many })?.added).toHaveLength(
    loggedNamesMax,
  );
  const long = [`mcp__docs__${"x".repeat(1_000)}`];
  expect(names({ type: "deferred_tools_delta", addedNames: long })).toBeUndefined();
});

test("a name that no model accepts is not kept", () => {
  const texts = ["mcp__docs__search for a secret", "mcp__docs__\u001b[31m", "mcp__docs__é"];
  expect(names({ type: "deferred_tools_delta", addedNames: texts })).toBeUndefined();
});
