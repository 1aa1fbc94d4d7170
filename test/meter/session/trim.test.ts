import { describe, expect, test } from "bun:test";
import { noTrim } from "#lock/hidden-tools.ts";
import { canonicalizeJson } from "#wire/json.ts";
import { bytesOf } from "../../support/bytes.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { lockedTool } from "../../support/locks.ts";
import { sha256 } from "../../support/play.ts";

const tool = (name: string, more: object = {}) => ({
  name,
  description: `Finds ${name}. More about it follows here.`,
  inputSchema: { type: "object" },
  ...more,
});
const [kept, secret] = [tool("kept"), tool("secret")];
const ask = (id = 1, cursor?: string) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/list",
  params: { cursor },
});
const answer = (tools: readonly object[], id = 1, more: object = {}) => ({
  jsonrpc: "2.0",
  id,
  result: { tools, ...more },
});
const call = (name: unknown, id = 7) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name },
});

const hide = { ...noTrim, hide: ["secret"] };
const listed = (session: GatedSession): unknown[] =>
  session.toClient
    .map((line) => JSON.parse(line).result?.tools)
    .filter(Boolean)
    .map((tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name));
const definitions = (session: GatedSession) =>
  session.records.findLast((record) => record.type === "definitions");

const long = (name: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":"${"x".repeat(99)}"}}`;

describe("--hide", () => {
  test("leaves a tool out of the list, and records what the server listed", () => {
    const session = new GatedSession([], { trim: hide })
      .client(ask())
      .server(answer([kept, secret]));
    const whole = new GatedSession([])
      .client(ask())
      .server(answer([kept, secret]))
      .client(call("kept"));
    session.client(call("kept")).end();
    expect(listed(session)).toEqual([["kept"]]);
    const [record, untrimmed] = [definitions(session), definitions(whole.end())];
    expect(record).toMatchObject({
      tools_total: 1,
      tools: [{ name: "kept", sha256: sha256(canonicalizeJson(kept)) }],
      hidden_tools: [{ name: "secret", sha256: sha256(canonicalizeJson(secret)) }],
      untrimmed_tokens: untrimmed?.total_tokens,
    });
    expect(untrimmed).not.toContainAnyKeys(["hidden_tools", "untrimmed_tokens"]);
  });

  test("counts skills with and without the hidden tools", () => {
    const skills = [
      { uri: "skill://a/SKILL.md", frontmatter: { name: "a", description: "Do a." } },
    ];
    const [hidden, whole] = [hide, noTrim].map((trim) => {
      const session = new GatedSession([], { trim })
        .client(ask())
        .server(answer([kept, secret]))
        .client({ jsonrpc: "2.0", id: 2, method: "skills/list" })
        .server({ jsonrpc: "2.0", id: 2, result: { skills } });
      return definitions(session.end());
    });
    expect(hidden?.skills).toHaveLength(1);
    expect(hidden?.untrimmed_tokens).toBe(whole?.total_tokens);
  });

  test("reaches every page and a batch", () => {
    const session = new GatedSession([], { trim: hide });
    session
      .client(ask(1))
      .server(answer([secret], 1, { nextCursor: "c" }))
      .client(ask(2, "c"))
      .server(answer([kept, secret], 2))
      .client(ask(3))
      .serverLine(JSON.stringify([answer([secret, kept], 3), { jsonrpc: "2.0", method: "n" }]))
      .end();
    expect(listed(session)).toEqual([[], ["kept"], ["kept"]]);
    expect(session.toClient.join("\n")).not.toContain("secret");
    expect(session.toClient.some((line) => line.includes('"method":"n"'))).toBe(true);
  });

  test("answers a call as a server that has no such tool, and records it as refused", () => {
    const session = new GatedSession([], { trim: hide }).client(call("secret")).end();
    expect(session.toServer).toEqual([]);
    expect(JSON.parse(session.toClient[0] ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 7,
      error: { code: -32_602, message: "Unknown tool: secret" },
    });
    expect(session.calls).toMatchObject([{ tool: "secret", outcome: "refused" }]);
    expect(session.records.filter(({ type }) => type === "breach")).toMatchObject([
      { budget: "hide", is_enforced: true, did_run: false, tool: "secret", request_id: 7 },
    ]);
  });

  test.each([
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"kept","name":"secret"}}'],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"secret","name":"kept"}}'],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":["secret"]}}'],
    ['{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"n\\u0061me":"secret"}}'],
    ['{"jsonrpc":"2.0","id":7,"method":"tools\\/call","params":{"name":"s\\u0065cret"}}'],
    ['[{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"secret"}}]'],
  ])("lets no spelling of a call through: %s", (line) => {
    const session = new GatedSession([], { trim: hide }).clientLine(line).end();
    expect(session.toServer).toEqual([]);
  });

  test("of a call too long to parse, the name still decides", () => {
    const session = new GatedSession([], { trim: hide });
    session.clientLine(long("secret"), false).clientLine(long("kept"), false).end();
    expect(session.toServer.map((line) => JSON.parse(line).params.name)).toEqual(["kept"]);
  });

  test("a budget of a hidden tool is known, and its lock holds what the server lists", () => {
    const lock = {
      tools: [kept, secret].map((one) =>
        lockedTool({ name: one.name, sha256: sha256(canonicalizeJson(one)) }),
      ),
    };
    const trim = { ...hide, isSlim: true, descriptionMax: 20 };
    const session = new GatedSession(["secret=5"], { trim, lock });
    session
      .client(ask())
      .server(answer([kept, secret]))
      .client(call("kept"))
      .end();
    expect(session.records.filter(({ type }) => type === "alert")).toEqual([]);
    expect(session.toServer.map((line) => JSON.parse(line).method)).toEqual([
      "tools/list",
      "tools/call",
    ]);
  });

  test.each([
    [
      "has a member twice",
      `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"secret","description":"a","description":"b"}]}}`,
      true,
    ],
    ["is too long to keep", JSON.stringify(answer([secret])), false],
  ])(
    "a list that %s passes whole, one fault says so, and calls stay refused",
    (_, line, isKept) => {
      const session = new GatedSession([], { trim: hide }).client(ask()).serverLine(line, isKept);
      session
        .client(ask(2))
        .server(answer([kept, secret], 2))
        .client(call("secret"))
        .end();
      expect(session.toClient[0]).toBe(line);
      expect(session.toServer.filter((text) => text.includes("tools/call"))).toEqual([]);
      expect(session.records.filter(({ type }) => type === "fault")).toMatchObject([
        {
          where: "tools/list",
          what: expect.stringContaining("the client may have received hidden tools"),
        },
      ]);
    },
  );

  test.each([
    { kind: "exchange-end", exchange: 1, outcome: "abandoned" },
    { kind: "redirected", exchange: 1 },
  ] as const)("a list that ended with $kind is not awaited any more", (ending) => {
    const lock = { tools: [lockedTool({ name: "kept", sha256: sha256(canonicalizeJson(kept)) })] };
    const session = new GatedSession([], { trim: hide, lock });
    const exchange = { number: 1, isStateless: true };
    const bytes = bytesOf(`${JSON.stringify(ask())}\n`);
    const line = { bytes, size: bytes.length, skim: undefined };
    const at = { monoMs: 0, wallMs: Date.UTC(2026, 8, 1) };
    session.meter.judge({ kind: "line", from: "client", line, exchange, at });
    session.meter.judge({ ...ending, at });
    session
      .server({ jsonrpc: "2.0", id: null, error: { code: 1, message: "unreadable" } })
      .client(call("kept"))
      .end();
    expect(session.records.filter(({ type }) => type === "fault")).toEqual([]);
    expect(session.toServer).toHaveLength(1);
  });

  test("an element without a name stays, as no client can call it", () => {
    const odd = [{ name: 5 }, {}, null, secret, kept];
    const session = new GatedSession([], { trim: hide })
      .client(ask())
      .server(answer(odd as object[]));
    expect(JSON.parse(session.end().toClient[0] ?? "").result.tools).toEqual([
      { name: 5 },
      {},
      null,
      kept,
    ]);
  });

  test("a name that the server does not list is one alert", () => {
    const session = new GatedSession([], { trim: { ...hide, hide: ["secrt", "s*x"] } });
    session
      .client(ask())
      .server(answer([kept, secret]))
      .client(ask(2))
      .server(answer([kept, secret], 2))
      .end();
    expect(session.records.filter(({ type }) => type === "alert")).toMatchObject([
      {
        alert: "unknown_tool",
        tool: "secrt",
        detail: '--hide secrt matches none of the server\'s 2 tools; did you mean "secret"?',
      },
    ]);
  });
});

test("--only refuses calls of other tools, and of the tools that are left a budget still holds", () => {
  const session = new GatedSession(["kept=0"], { trim: { ...noTrim, only: ["kept"] } });
  session
    .client(ask())
    .server(answer([kept, secret]))
    .client(call("secret"), call("kept", 8))
    .end();
  expect(listed(session)).toEqual([["kept"]]);
  expect(session.toServer).toHaveLength(1);
  expect(session.toClient.at(-1)).toContain("It is forbidden by a configured limit");
});

test("--max-description shortens what the model reads, and refuses nothing", () => {
  const trim = { ...noTrim, descriptionMax: 20 };
  const session = new GatedSession([], { trim }).client(ask()).server(answer([kept, secret]));
  session.client(call("secret")).end();
  expect(session.toClient[0]).toContain('"description":"Finds secret."');
  const record = definitions(session);
  expect(record?.hidden_tools).toEqual([]);
  expect(record?.untrimmed_tokens ?? 0).toBeGreaterThan(record?.total_tokens ?? 0);
  expect(record?.tools.map(({ sha256: hash }) => hash)).toEqual(
    [kept, secret].map((one) => sha256(canonicalizeJson(one))),
  );
  expect(session.toServer).toHaveLength(2);
});
