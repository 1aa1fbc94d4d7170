import { describe, expect, test } from "bun:test";
import { nameCharactersMax } from "#kit/limits.ts";
import { createDefinitionCache } from "#tokens/cost/count-definition.ts";
import { type DefinitionsCost, countTokensToLoad } from "#tokens/cost/definitions-cost.ts";
import { draftDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { findProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { ToolList } from "#tokens/cost/tool-list.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { sha256 } from "../../support/play.ts";
import { definition as tool, listed } from "../../support/listed-tools.ts";

const deps = () => ({ hash: sha256, definitionCache: createDefinitionCache() });

function recorded(
  list: ToolList,
  facts: {
    instructions?: string;
    client?: string;
    reader?: Reader;
    deps?: ReturnType<typeof deps>;
  } = {},
): DefinitionsCost {
  const draft = draftDefinitions(
    list,
    facts.instructions,
    facts.reader ?? plainReader(facts.client),
    facts.deps ?? deps(),
  );
  while (draft.bill.charactersLeft > 0) draft.bill.advance(30_000);
  return draft.finish(false);
}

describe("draftDefinitions", () => {
  const fullTool = tool("search", {
    title: "Search",
    annotations: {},
    outputSchema: { type: "object" },
  });

  test("name, description and schema cost, the rest is wire only", () => {
    const body = recorded(listed([undefined, { tools: [fullTool] }]));
    const wireOnly = '{"title":"Search","annotations":{},"outputSchema":{"type":"object"}}';
    expect(body.tools).toMatchObject([
      {
        name: "search",
        name_tokens: 2,
        description_tokens: 1,
        schema_tokens: 1,
        tokens: 4,
        wire_only_tokens: Math.ceil(wireOnly.length / 3),
        percent_total: 100,
      },
    ]);
    expect(body).toMatchObject({
      total_tokens: 4,
      resident_tokens: 4,
      tools_total: 1,
      is_complete: true,
    });
  });

  test("the hash is of the canonical definition, so the order of members is nothing", () => {
    const turned = Object.fromEntries(Object.entries(fullTool).toReversed());
    const [a, b] = recorded(listed([undefined, { tools: [fullTool, turned] }])).tools;
    expect(a?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(b?.sha256).toBe(a?.sha256 ?? "");
    const changed = recorded(
      listed([undefined, { tools: [{ ...fullTool, description: "D" }] }]),
    ).tools;
    expect(changed[0]?.sha256).not.toBe(a?.sha256 ?? "");
  });

  test("shares add up to a hundred", () => {
    const tools = ["a", "bb", "cccc"].map((name) => tool(name, { description: name.repeat(90) }));
    const body = recorded(listed([undefined, { tools }]));
    const sum = body.tools.reduce((total, { percent_total: percent }) => total + percent, 0);
    expect(sum).toBeCloseTo(100, 1);
  });

  test("instructions are their own number and stay in context", () => {
    const body = recorded(listed([undefined, { tools: [tool("a")] }]), { instructions: "Be kind" });
    expect(body).toMatchObject({ total_tokens: 3, instructions_tokens: 3, resident_tokens: 6 });
  });

  test("a client that defers keeps names and instructions", () => {
    const facts = { instructions: "Be kind", client: "claude-code" };
    const body = recorded(listed([undefined, { tools: [tool("a"), tool("b")] }]), facts);
    // Two lines such as "mcp__server__a\n", plus "Be kind".
    expect(body).toMatchObject({ is_deferred: true, total_tokens: 6, resident_tokens: 5 + 5 + 3 });
    // Once loaded, each is named "mcp__server__a".
    expect(body.tools).toMatchObject([
      { tokens: 3, resident_tokens: 5, context_tokens: 5 + 1 + 1 },
      { tokens: 3, resident_tokens: 5, context_tokens: 5 + 1 + 1 },
    ]);
  });

  test("a tool that a client always loads is whole from the start, and adds nothing when it is called", () => {
    const always = tool("a", { _meta: { "anthropic/alwaysLoad": true } });
    const body = recorded(listed([undefined, { tools: [always, tool("b")] }]), {
      client: "claude-code",
    });
    expect(body).toMatchObject({ is_deferred: true, resident_tokens: 7 + 5 });
    const [first, second] = body.tools;
    expect([first, second]).toMatchObject([
      { resident_tokens: 7, context_tokens: 7 },
      { resident_tokens: 5, context_tokens: 7 },
    ]);
    expect(
      [first, second].map((definition) => definition && countTokensToLoad(definition)),
    ).toEqual([0, 7]);
  });

  test("a client that defers above a share lists the names below it too", () => {
    const profile = findProfile("claude-code", { env: { ENABLE_TOOL_SEARCH: "auto" } });
    const reader = { ...plainReader("claude-code"), profile };
    const body = recorded(listed([undefined, { tools: [tool("a")] }]), { reader });
    expect(body).toMatchObject({ is_deferred: false, resident_tokens: 7 + 5 });
  });

  test("Codex repeats the instructions in each definition that a script calls", () => {
    const facts = { instructions: "Be kind", client: "codex" };
    const body = recorded(listed([undefined, { tools: [tool("a")] }]), facts);
    // "- mcp__server: Be kind\n" stays; "mcp__server__a", "d", "{}" and "Be kind" are loaded.
    expect(body).toMatchObject({ resident_tokens: 8, tools: [{ context_tokens: 5 + 1 + 1 + 3 }] });
    expect(body.loading_tokens).toBeUndefined();
  });

  test("an empty list costs nothing", () => {
    expect(recorded(new ToolList())).toMatchObject({
      total_tokens: 0,
      resident_tokens: 0,
      tools: [],
    });
  });

  test("names are cut in the record and not in the count", () => {
    const name = "n".repeat(900);
    const [found] = recorded(listed([undefined, { tools: [{ name }] }])).tools;
    expect([found?.name.length, found?.name_tokens]).toEqual([nameCharactersMax, 300]);
  });

  test("a description, a schema and instructions of megabytes are counted whole", () => {
    // A token has three characters here.
    const text = "x".repeat(3_000_000);
    const schema = { $comment: text };
    const tools = [tool("t", { description: text }), tool("u", { inputSchema: schema })];
    const body = recorded(listed([undefined, { tools }]), { instructions: text });
    expect(body.tools.map((definition) => definition.description_tokens)).toEqual([1_000_000, 1]);
    expect(body.tools[1]?.schema_tokens).toBe(Math.ceil(JSON.stringify(schema).length / 3));
    expect(body.instructions_tokens).toBe(1_000_000);
  });

  test("hostile definitions cost what they say and throw nothing", () => {
    const tools = [
      {},
      { name: 7, description: {}, inputSchema: "text" },
      { __proto__: null, name: "__proto__" },
    ];
    const body = recorded(listed([undefined, { tools }]));
    expect(body.tools.map(({ name }) => name)).toEqual(["", "", "__proto__"]);
  });

  test("a definition is counted once", () => {
    const shared = deps();
    const list = listed([undefined, { tools: [fullTool] }]);
    const first = recorded(list, { deps: shared });
    const again = draftDefinitions(list, undefined, plainReader(undefined), shared);
    expect(again.bill.charactersLeft).toBe(0);
    expect(again.finish(false)).toEqual(first);
  });

  test("a price that was not counted is not remembered", () => {
    const shared = deps();
    const list = listed([undefined, { tools: [fullTool] }]);
    const draft = draftDefinitions(list, undefined, plainReader(undefined), shared);
    draft.finish(draft.bill.settleByLength());
    expect(recorded(list, { deps: shared })).toEqual(recorded(list));
  });
});
