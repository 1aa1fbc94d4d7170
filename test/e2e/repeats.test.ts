import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readMember, readString } from "#wire/json.ts";
import { clientNamed, type Connection, type Outcome } from "../support/clients.ts";
import {
  type Form,
  answerTo,
  event,
  eventsHead,
  jsonHead,
  whole,
} from "../support/over-budget-answers.ts";
import { startOverBudgetServer } from "../support/over-budget-server.ts";
import { type Channel, listed, RepeatPlay } from "../support/repeat-play.ts";
import { initialize, notification, request } from "../support/rpc.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { filesystem, legacy, metered, modern, type ServerCommand } from "../support/servers.ts";
import { fixture, metered as started } from "../support/session.ts";
import { eachFirst } from "../support/slow-cases.ts";
import { eventually } from "../support/wait.ts";
import { onlyLog, runMeter, waitMaxMs } from "./run.ts";
import { ownHome } from "./serving.ts";

setDefaultTimeout(waitMaxMs);

const roses = "roses need water. ".repeat(200);
const options = ["--repeat", "note", "--tokenizer", "o200k"];
const variables = { MCP_METER_REPEAT: "note", MCP_METER_TOKENIZER: "o200k" };

async function reads(act: () => Promise<Outcome>, times: number): Promise<string[]> {
  const texts: string[] = [];
  for (let left = times; left > 0; left -= 1) {
    const outcome = await act();
    if (outcome.kind === "error") throw new Error(`the client threw ${outcome.message}`);
    const content = readMember(outcome.result, "content");
    const text = Array.isArray(content) ? readString(content[0], "text") : undefined;
    texts.push(text?.includes("is unchanged since the call at") === true ? "note" : (text ?? ""));
  }
  return texts;
}

async function connected(
  client: string,
  server: ServerCommand,
  home: { readonly env: Readonly<Record<string, string>> },
  more: readonly string[] = [],
): Promise<Connection> {
  const wrapped = metered(server, more);
  const env = { ...wrapped.env, ...home.env, ...variables };
  const connection = await clientNamed(client).connect({ ...wrapped, env });
  await connection.listTools();
  return connection;
}

describe("--repeat note on stdio", () => {
  eachFirst(2, [
    ["sdk-v1", legacy],
    ["sdk-v2-modern", modern],
    ["sdk-v2-legacy", legacy],
  ])("%s reads every second identical answer as a note", async (client, server) => {
    using home = ownHome();
    const connection = await connected(client, server(), home, ["--annotate"]);
    const ask = () => connection.callTool("echo", { message: roses });
    const got = await reads(ask, 4);
    await connection.close();
    expect(got).toEqual([expect.stringContaining(roses), "note", expect.anything(), "note"]);
    expect(got[2]).toBe(got[0] ?? "");
    const saved = (await onlyLog(home)).filter(({ saved_tokens: tokens }) => tokens !== undefined);
    expect(saved).toHaveLength(2);
    for (const { saved_tokens: tokens } of saved) expect(tokens).toBeGreaterThan(600);
    const { stdout } = await runMeter(home, ["report", ...home.logs()]);
    expect(stdout).toMatch(
      /repeated +3 identical calls.*; 2 unchanged answers replaced by short notes: ~1,\d+ tokens saved/,
    );
    const usage = await runMeter(home, ["report", "--by", "tool", "--json"]);
    const { sum } = JSON.parse(usage.stdout);
    expect(sum.totals.saved_tokens).toBe(
      saved.reduce((all, call) => all + Number(call["saved_tokens"]), 0),
    );
  });

  eachFirst(1, [
    ["claude-code", roses],
    ["opencode", "note"],
  ])("the structure that a tool promised stays, for %s", async (name, second) => {
    using home = ownHome();
    const garden = join(home.path, "garden");
    mkdirSync(garden);
    writeFileSync(join(garden, "roses.txt"), roses);
    const connection = await connected("sdk-v1", filesystem(garden), home, ["--as-client", name]);
    const path = join(garden, "roses.txt");
    const outcomes: Outcome[] = [];
    const ask = async (): Promise<Outcome> => {
      const outcome = await connection.callTool("read_text_file", { path });
      outcomes.push(outcome);
      return outcome;
    };
    expect(await reads(ask, 2)).toEqual([roses, second]);
    await connection.close();
    // The client has validated it against the schema.
    expect(outcomes[1]).toMatchObject({ result: { structuredContent: { content: roses } } });
  });
});

const forms: Readonly<Record<string, Form>> = {
  long: ({ id }) => whole(jsonHead, answerTo(id, roses)),
  stream: ({ id }) => whole(eventsHead, event(answerTo(id, roses))),
};

describe("--repeat note behind a URL", () => {
  test.each([
    ["sdk-v1", "note"],
    ["sdk-v2-legacy", "note"],
    // Without a session, requests of one client may belong to several conversations.
    ["sdk-v2-modern", roses],
  ])("%s", async (client, second) => {
    using server = await startOverBudgetServer(forms);
    using through = await ServedProxy.start(server.url, options);
    const connection = await clientNamed(client).connect(through.url);
    await connection.listTools();
    for (const tool of Object.keys(forms)) {
      const got = await reads(() => connection.callTool(tool, {}), 3);
      expect(got).toEqual([roses, second, roses]);
    }
    await connection.close();
  });

  test("the sessions of two clients share no answers", async () => {
    using server = await startOverBudgetServer(forms);
    using through = await ServedProxy.start(server.url, options);
    const [one, two] = [
      await clientNamed("sdk-v1").connect(through.url),
      await clientNamed("sdk-v1").connect(through.url),
    ];
    for (const connection of [one, two]) await connection.listTools();
    expect(await reads(() => one.callTool("long", {}), 1)).toEqual([roses]);
    expect(await reads(() => two.callTool("long", {}), 2)).toEqual([roses, "note"]);
    expect(await reads(() => one.callTool("long", {}), 1)).toEqual(["note"]);
    for (const connection of [one, two]) await connection.close();
  });
});

describe("random calls: an answer is whole, or equals one that was whole shortly before", () => {
  eachFirst(1, [
    ["modern", true],
    ["legacy", false],
  ])("on stdio, %s", async (_era, isModern) => {
    await using session = started(fixture("puppet"), { flags: options });
    await session.ask(initialize());
    let said = 0;
    // What the client has by the time that a mark after the line arrives.
    const say = async (line: string): Promise<readonly string[]> => {
      const lines = () => session.stdout.lines.filter((text) => text !== "");
      const before = lines().length;
      said += 1;
      const mark = JSON.stringify(notification("notifications/progress", { said }));
      await session.send(notification("say", { say: [line, mark] }));
      const after = () => lines().slice(before);
      await eventually("a mark", () => after().includes(mark));
      return after().filter((text) => text !== mark);
    };
    await session.send(request(1, "tools/list"));
    await say(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: listed } }));
    const channel: Channel = {
      mayBatch: true,
      isStateless: false,
      ask: (text) => session.input.write(`${text}\n`),
      answer: (_id, text) => say(text),
    };
    const play = new RepeatPlay(7, channel, isModern);
    await play.play(200);
    expect(play.seen.get("note")).toBeGreaterThan(5);
    expect(play.seen.get("whole again")).toBeGreaterThan(1);
  });

  eachFirst(2, [
    ["legacy, with a session", false, false],
    ["modern", true, true],
    ["legacy, without one", false, true],
  ])("behind a URL, %s", async (_era, isModern, isStateless) => {
    using server = new AnsweringServer(isStateless);
    using through = await ServedProxy.start(server.url, options);
    const post = postTo(through.url, isModern);
    await post(JSON.stringify(initialize(0)));
    await post(JSON.stringify(isModern ? modernList : request(1, "tools/list")));
    const asked = new Map<number, Promise<string>>();
    const channel: Channel = {
      mayBatch: false,
      isStateless,
      ask: async (text) => {
        const { id } = JSON.parse(text);
        asked.set(id, post(text));
        await eventually("the request", () => server.open.has(id));
      },
      answer: async (id, text) => {
        server.open.get(id)?.(text);
        return [(await asked.get(id)) ?? ""];
      },
    };
    const play = new RepeatPlay(11, channel, isModern);
    await play.play(200);
    expect(play.seen.get("note")).toBeGreaterThan(3);
    expect(play.seen.get("whole again")).toBeGreaterThan(1);
  });
});

const modernList = request(1, "tools/list", {
  _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
});

/** Sends each request to the URL and returns the message in its answer. */
function postTo(url: URL, isModern: boolean): (text: string) => Promise<string> {
  let session: string | undefined;
  return async (text) => {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...(isModern ? { "mcp-protocol-version": "2026-07-28" } : {}),
    };
    const answer = await fetch(url, { method: "POST", body: text, headers });
    session ??= answer.headers.get("mcp-session-id") ?? undefined;
    const body = await answer.text();
    return body.startsWith("data: ") ? body.slice("data: ".length).trimEnd() : body.trimEnd();
  };
}

/** Answers a call when the test says so, every second time in an event. */
class AnsweringServer implements Disposable {
  readonly open = new Map<unknown, (text: string) => void>();
  readonly #server;
  #answers = 0;

  constructor(isStateless: boolean) {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 0,
      fetch: async (asked) => {
        const message: unknown = await asked.json();
        const id = readMember(message, "id");
        const method = readString(message, "method");
        if (method === "tools/call")
          return new Promise<Response>((resolve) => {
            this.open.set(id, (text) => resolve(this.#respond(text)));
          });
        const session = isStateless ? {} : { "mcp-session-id": "one" };
        const result = resultOf(method);
        const headers = method === "initialize" ? session : {};
        return Response.json({ jsonrpc: "2.0", id, result }, { headers });
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}/mcp`;
  }

  #respond(text: string): Response {
    this.#answers += 1;
    const isEvent = this.#answers % 2 === 0;
    const type = isEvent ? "text/event-stream" : "application/json";
    return new Response(isEvent ? `data: ${text}\n\n` : text, {
      headers: { "content-type": type },
    });
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

function resultOf(method: string | undefined): object {
  if (method === "tools/list") return { tools: listed };
  const serverInfo = { name: "garden", version: "1" };
  return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo };
}
