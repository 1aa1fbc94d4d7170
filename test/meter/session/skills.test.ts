import { describe, expect, test } from "bun:test";
import type { DefinitionsRecord } from "#records/record.ts";
import { spokenEras } from "../../support/eras.ts";
import { Play } from "../../support/play.ts";
import { request } from "../../support/rpc.ts";

const skill = (name: string, description: string, files: readonly object[] = []): object => ({
  uri: `skill://${name}/SKILL.md`,
  frontmatter: { name, description, license: "MIT" },
  resources: [
    { uri: `skill://${name}/SKILL.md`, digest: `sha256:${"a".repeat(64)}`, size: 9 },
    ...files,
  ],
});
const manifest = Array.from({ length: 300 }, (_, at) => ({
  uri: `skill://pdf/files/${at}.md`,
  digest: `sha256:${"b".repeat(64)}`,
  size: at,
}));
const refunds = skill("refunds", "Pay money back.");
const pdf = skill("pdf", "Fill forms in PDF files.", manifest);
const tool = { name: "search", description: "Search.", inputSchema: { type: "object" } };

const result = (id: number, value: object): object => ({ jsonrpc: "2.0", id, result: value });

function greeted(client = "host"): Play {
  const params = {
    protocolVersion: "2025-11-25",
    clientInfo: { name: client, version: "1" },
    capabilities: {},
  };
  const extensions = { "io.modelcontextprotocol/skills": {} };
  return new Play()
    .client(request(0, "initialize", params))
    .server(result(0, { capabilities: { extensions }, serverInfo: { name: "s", version: "1" } }));
}

function listsOf(play: Play): DefinitionsRecord[] {
  return play.records.filter((one) => one.type === "definitions");
}

const tokensOf = (text: string): number => Math.ceil(text.length / 3);
const prices = [
  tokensOf("- refunds: Pay money back.\n"),
  tokensOf("- pdf: Fill forms in PDF files.\n"),
];
const sum = prices.reduce((total, one) => total + one, 0);

describe("a list of skills", () => {
  test.each(spokenEras)(
    "is rent as definitions are: texts, no manifest, all pages; $era",
    (era) => {
      const { asked, answered } = era.begin("host");
      const play = new Play()
        .client(asked)
        .server(answered)
        .client(era.ask(1, "tools/list"))
        .server(era.answer(1, { tools: [tool] }))
        .client(era.ask(2, "skills/list"))
        .server(era.answer(2, { skills: [refunds], nextCursor: "2" }))
        .client(era.ask(3, "skills/list", { cursor: "2" }))
        .server(era.answer(3, { skills: [pdf] }))
        .end();
      const [before, after, ...more] = listsOf(play);
      expect(more).toEqual([]);
      expect(before?.skills).toBeUndefined();
      expect(after?.skills).toMatchObject([
        { name: "refunds", tokens: prices[0], sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
        { name: "pdf", tokens: prices[1] },
      ]);
      for (const member of ["total_tokens", "resident_tokens"] as const) {
        expect(after?.[member]).toBe((before?.[member] ?? 0) + sum);
      }
      expect(play.summary.definitions).toMatchObject({
        tools: 1,
        skills: { listed: 2, tokens: sum },
      });
      expect(play.summary.total.calls).toBe(0);
    },
  );

  test("that comes before the tools, or without them, is recorded once", () => {
    const early = greeted()
      .client(request(1, "skills/list"))
      .server(result(1, { skills: [refunds] }))
      .client(request(2, "tools/list"))
      .server(result(2, { tools: [tool] }))
      .end();
    expect(listsOf(early)).toMatchObject([{ tools_total: 1, skills: [{ name: "refunds" }] }]);
    const alone = greeted()
      .client(request(1, "skills/list"))
      .server(result(1, { skills: [refunds] }))
      .end();
    expect(listsOf(alone)).toMatchObject([
      { list_state: "none", tools_total: 0, total_tokens: prices[0], resident_tokens: prices[0] },
    ]);
  });

  test("stays in the context where definitions are deferred, with its server's name for Claude Code", () => {
    const play = greeted("claude-code")
      .client(request(1, "tools/list"))
      .server(result(1, { tools: [tool] }))
      .client(request(2, "skills/list"))
      .server(result(2, { skills: [skill("long", "word ".repeat(1_000))] }))
      .end();
    const [before, after] = listsOf(play);
    const shown = tokensOf(`- server:long: ${"word ".repeat(1_000).slice(0, 1_535)}…\n`);
    expect(after).toMatchObject({ is_deferred: true });
    expect(after?.resident_tokens).toBe((before?.resident_tokens ?? 0) + shown);
    expect(after?.skills?.[0]?.tokens).toBe(tokensOf(`- long: ${"word ".repeat(1_000)}\n`));
  });

  test("that is no list, or an error, changes nothing; entries without a frontmatter cost their frame", () => {
    const play = greeted()
      .client(request(1, "tools/list"))
      .server(result(1, { tools: [tool] }))
      .client(request(2, "skills/list"))
      .server({ jsonrpc: "2.0", id: 2, error: { code: -32_601, message: "no" } })
      .client(request(3, "skills/list"))
      .server(result(3, { skills: "none" }))
      .end();
    expect(listsOf(play)).toHaveLength(1);
    const odd = greeted()
      .client(request(1, "skills/list"))
      .server(result(1, { skills: [{}, null, { frontmatter: { name: 7 } }] }))
      .end();
    expect(listsOf(odd)[0]?.skills).toMatchObject([{ name: "" }, { name: "" }]);
  });
});

test("an entry is read by the host; the files of a skill are calls of the model", () => {
  const text = "word ".repeat(300);
  const uri = "skill://refunds/SKILL.md";
  const play = greeted()
    .client(request(1, "skills/get", { uri }))
    .server(result(1, { skill: refunds }))
    .client(request(2, "resources/read", { uri }))
    .server(result(2, { contents: [{ uri, mimeType: "text/markdown", text }] }))
    .end();
  const calls = play.records.filter((one) => one.type === "call");
  expect(calls).toMatchObject([{ method: "resources/read", outcome: "ok" }]);
  expect(calls[0]?.output_tokens).toBeGreaterThanOrEqual(tokensOf(text));
  const asked = play.records.filter((one) => one.type === "protocol").map(({ method }) => method);
  expect(asked).toContain("skills/get");
});

test("a list in another order is counted, one with another tool between is not", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ ...tool, name }));
  const play = greeted();
  const orders = [
    [a, b],
    [b, a],
    [b, a],
    [b, c, a],
    [a, b, c],
  ];
  for (const [at, tools] of orders.entries()) {
    play.client(request(at + 1, "tools/list")).server(result(at + 1, { tools }));
  }
  expect(play.end().summary.definitions?.reordered).toBe(2);
});
