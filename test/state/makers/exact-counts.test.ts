import { describe, expect, test } from "bun:test";
import { makeMakerCounts } from "#tokens/cost/maker-counts.ts";
import { findAccount } from "#state/makers/maker.ts";
import { ExactCounts } from "#state/makers/exact-counts.ts";
import { findMaker } from "#commands/exact-option.ts";
import { sha256 } from "#kit/os/hash.ts";
import { canonicalizeJson } from "#wire/json.ts";
import { rejectionOf } from "../../support/folder.ts";
import { ImitatedMaker, imitatedPerList } from "../../support/imitated-maker.ts";

const tool = (name: string, description = "Reads a file.") => ({
  name,
  description,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
});

const size = (name: string) =>
  `{"name":"${name}","description":"Reads a file.","input_schema":{"properties":{"path":{"type":"string"}},"type":"object"}}`
    .length;

function setUp(url: string, model: string) {
  const store = new Map<string, number>();
  const maker = findMaker(model);
  if (!maker) throw new Error(`no maker of ${model}`);
  const account = findAccount(maker, {
    ANTHROPIC_API_KEY: "k",
    GEMINI_API_KEY: "k",
    [maker.urlVariable]: url,
  });
  const world = { hash: sha256, wait: async () => undefined, reportWait: () => undefined };
  const keep = {
    get: (key: string) => store.get(key),
    set: (key: string, tokens: number) => void store.set(key, tokens),
  };
  const counts = new ExactCounts({ maker, model, account }, keep, world);
  const prices = makeMakerCounts({ maker: maker.id, model }, keep, sha256);
  return { counts, prices, store };
}

const hashes = (tools: readonly object[]) =>
  tools.map((definition) => sha256(canonicalizeJson(definition)));

describe("ExactCounts", () => {
  test("a list costs its request less the same request without tools, each tool as much as alone", async () => {
    using maker = new ImitatedMaker();
    const { counts, prices } = setUp(maker.url, "claude-opus-5");
    const tools = [tool("read"), tool("write")];
    await counts.storeDefinitionCounts(tools);
    const total = imitatedPerList + size("read") + size("write");
    expect(await counts.countList(tools)).toBe(total);
    expect(prices.find(hashes(tools))).toEqual({
      source: { maker: "anthropic", model: "claude-opus-5" },
      tokens: [size("read"), size("write")],
      tokensPerList: imitatedPerList,
    });
    expect(maker.asked).toHaveLength(7);
  });

  test("what is known is not asked for again, in any order of tools and members", async () => {
    using maker = new ImitatedMaker();
    const { counts } = setUp(maker.url, "gemini-3-pro");
    await counts.storeDefinitionCounts([tool("a"), tool("b")]);
    const before = maker.asked.length;
    const { inputSchema, ...others } = tool("a");
    await counts.storeDefinitionCounts([tool("b"), { inputSchema, ...others }]);
    expect(maker.asked).toHaveLength(before);
    await counts.storeDefinitionCounts([tool("b"), tool("a"), tool("c")]);
    expect(maker.asked).toHaveLength(before + 2);
  });

  test("a text costs its message less that of one letter, which is one token", async () => {
    using maker = new ImitatedMaker();
    const { counts } = setUp(maker.url, "claude-opus-5");
    expect(await counts.countText("hello")).toBe(5);
    expect(await counts.countText("hello")).toBe(5);
    expect(await counts.countText("")).toBe(0);
    expect(await counts.countList([])).toBe(0);
    expect(maker.asked.map(({ body }) => body.messages?.[0]?.content)).toEqual(["a", "hello"]);
  });

  test("a counter that leaves out tools is refused, and none of its counts of definitions is kept", async () => {
    using maker = new ImitatedMaker(() => Response.json({ input_tokens: 3 }));
    const { counts, prices, store } = setUp(maker.url, "claude-opus-5");
    expect(await rejectionOf(counts.storeDefinitionCounts([tool("a")]))).toBe(
      "UserError: Cannot get exact counts from Anthropic: its count for a request is no larger with tools than without",
    );
    expect([...store.keys()]).toEqual(["anthropic claude-opus-5 base"]);
    expect(prices.find(hashes([tool("a")]))).toBeUndefined();
    expect(await counts.countText("hello")).toBe(1);
  });

  test("counts before a failure are kept", async () => {
    using maker = new ImitatedMaker((_, at) =>
      at === 6 ? new Response("", { status: 400 }) : undefined,
    );
    const { counts, store } = setUp(maker.url, "claude-opus-5");
    expect(counts.storeDefinitionCounts([tool("a"), tool("b")])).rejects.toThrow(
      "answers with status 400",
    );
    await Bun.sleep(0);
    await counts.storeDefinitionCounts([tool("a"), tool("b")]).catch(() => undefined);
    expect(store.size).toBeGreaterThanOrEqual(4);
  });
});
