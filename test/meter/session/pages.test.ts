import { describe, expect, test } from "bun:test";
import { Play, summaryOf } from "../../support/play.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { call, type Message, request, textResult } from "../../support/rpc.ts";
import { listEntriesMax } from "#tokens/cost/tool-list.ts";

const apps = { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } };
const long = "word ".repeat(2_000);

const tool = (name: string, ui?: object): object => ({
  name,
  inputSchema: { type: "object" },
  ...(ui && { _meta: { ui } }),
});
const chart = tool("chart", { resourceUri: "ui://app/page.html" });
const poll = tool("poll", { visibility: ["app"] });
const both = tool("both", { visibility: ["model", "app"] });

const page = {
  contents: [{ uri: "ui://app/page.html", mimeType: "text/html;profile=mcp-app", text: long }],
};
const result = (id: number, value: object): object => ({ jsonrpc: "2.0", id, result: value });

type Told = { readonly extensions?: object; readonly tools?: readonly object[] };

function greeted(budget: string, { extensions = apps, tools = [chart, poll, both] }: Told = {}) {
  const params = {
    protocolVersion: "2025-11-25",
    clientInfo: { name: "host", version: "1" },
    capabilities: { extensions },
  };
  return new GatedSession([budget], { repeatsMax: 2 })
    .client(request(0, "initialize", params))
    .server(result(0, { protocolVersion: "2025-11-25", serverInfo: { name: "app", version: "1" } }))
    .client(request(1, "tools/list"))
    .server(result(1, { tools }));
}

const readPage = request(2, "resources/read", { uri: "ui://app/page.html" });

function passes(session: GatedSession, asked: object, answer: object): boolean {
  session.client(asked).server(answer);
  return session.toClient.at(-1) === JSON.stringify(answer);
}

describe("what pages of an app ask for", () => {
  test("is in no total and under no budget, however often it is asked for", () => {
    const session = greeted("100/session");
    expect(passes(session, readPage, result(2, page))).toBe(true);
    for (let id = 3; id < 13; id += 1) {
      expect(passes(session, call(id, "poll"), textResult(id, long))).toBe(true);
    }
    session.client(call(13, "chart")).server(textResult(13, "Hi")).end();
    const summary = summaryOf(session.records);
    expect(session.calls.map((one) => one.tool)).toEqual(["chart"]);
    expect(summary.total.total_tokens).toBeLessThan(20);
    expect(summary.view).toMatchObject({ calls: 11 });
    expect(summary.view.bytes).toBeGreaterThan(11 * long.length);
    expect(summary.definitions?.tools).toBe(2);
    expect(summary.unused?.names).toEqual(["both"]);
    expect(session.records.find(({ type }) => type === "definitions")).toMatchObject({
      tools_total: 2,
      view_tools: [{ name: "poll", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    const reads = session.records.filter((one) => one.type === "protocol" && one.reader === "view");
    expect(reads[1]).toMatchObject({ method: "tools/call", tool: "poll", total_tokens: 0 });
  });

  test("stays a page's when the result of its task is fetched again", () => {
    const session = greeted("100/session").client(
      request(2, "tools/call", { name: "poll", arguments: {}, task: { ttl: 60_000 } }),
    );
    session.server(result(2, { task: { taskId: "t", status: "working" } }));
    for (const id of [3, 4]) {
      const meta = { "io.modelcontextprotocol/related-task": { taskId: "t" } };
      const asked = request(id, "tasks/result", { taskId: "t" });
      const content = [{ type: "text", text: long }];
      expect(passes(session, asked, result(id, { content, _meta: meta }))).toBe(true);
    }
    expect(session.end().calls).toEqual([]);
  });

  test("is in no list of a client that hides it and shows no pages, such as Claude Code", () => {
    const play = new Play()
      .client(request(0, "initialize", { clientInfo: { name: "claude-code", version: "2" } }))
      .server(result(0, { serverInfo: { name: "app", version: "1" } }))
      .client(request(1, "tools/list"))
      .server(result(1, { tools: [chart, poll] }))
      .end();
    expect(play.summary.definitions?.tools).toBe(1);
    expect(play.summary.view.calls).toBe(0);
  });

  test.each([
    ["poll=0", "refused"],
    ["poll=100", "withheld"],
    ["*=0", "refused"],
    ["p*=100", "passes"],
    ["2calls/session", "passes"],
  ])(
    "the budget %s: %s, because only one that forbids or names the tool is about it",
    (spec, expected) => {
      const session = greeted(spec);
      const isPassed = passes(session, call(2, "poll"), textResult(2, long));
      const didArrive = session.toServer.some((line) => line.includes('"poll"'));
      expect(isPassed ? "passes" : didArrive ? "withheld" : "refused").toBe(expected);
    },
  );
});

const withKey = ({ params, ...message }: Message): object => {
  const key = { "claudecode/toolUseId": "toolu_1" };
  return { ...message, params: Object.assign({}, params, { _meta: key }) };
};

describe("a model reads, and a budget charges", () => {
  test.each<readonly [name: string, told: Told, asked: object]>([
    ["a tool for pages, at a client without the extension", { extensions: {} }, call(2, "poll")],
    ["a page, at a client without the extension", { extensions: {} }, readPage],
    ["a tool for both", {}, call(2, "both")],
    ["a tool that has a page", {}, call(2, "chart")],
    ["another resource", {}, request(2, "resources/read", { uri: "file:///ui://x" })],
    ["a tool twice in the list, once for pages", { tools: [tool("poll"), poll] }, call(2, "poll")],
    ["a tool that is not listed", { tools: [chart] }, call(2, "poll")],
    ["a request with the id of a model's call", {}, withKey(call(2, "poll"))],
    ["a page that a model's call reads", {}, withKey(readPage)],
    ...["app", [], ["app", "app"], ["app", "page"]].map(
      (visibility) =>
        [
          `the visibility ${JSON.stringify(visibility)}`,
          { tools: [tool("poll", { visibility })] },
          call(2, "poll"),
        ] as const,
    ),
    [
      "a tool next to more than are known",
      { tools: [...Array.from({ length: listEntriesMax }, () => poll), tool("poll")] },
      call(2, "poll"),
    ],
  ])("%s", (_name, told, asked) => {
    const session = greeted("100/session", told);
    const isRead = JSON.stringify(asked).includes("resources/read");
    const answer = isRead ? result(2, page) : textResult(2, long);
    expect(passes(session, asked, answer)).toBe(false);
    expect(summaryOf(session.end().records).view.calls).toBe(0);
  });

  test("a tool of a list that follows one that was too deep to be read", () => {
    const deep = `{"jsonrpc":"2.0","id":4,"result":{"x":${"[".repeat(300)}${"]".repeat(300)}}}`;
    const session = greeted("100/session").client(request(4, "tools/list"));
    session.serverLine(deep, false);
    session.client(request(5, "tools/list")).server(result(5, { tools: [poll] }));
    expect(passes(session, call(6, "poll"), textResult(6, long))).toBe(false);
  });

  test("a tool that a later list keeps for pages: it may still be in the context", () => {
    const session = greeted("100/session", { tools: [tool("poll")] })
      .client(request(5, "tools/list"))
      .server(result(5, { tools: [poll] }));
    expect(passes(session, call(6, "poll"), textResult(6, long))).toBe(false);
  });
});
