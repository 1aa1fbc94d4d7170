import { describe, expect, test } from "bun:test";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import {
  repeatNoteAgeMaxMs,
  repeatNoteCallsMax,
  repeatNoteSavedTokensMin,
  repeatNoteTokensMax,
} from "#meter/budgets/repeats.ts";
import type { CallRecord } from "#records/record.ts";
import type { LineEvent } from "#meter/session/event.ts";
import type { Judgement } from "#meter/session/decider.ts";
import { Meter } from "#meter/session/meter.ts";
import { exactCountCharactersMax } from "#meter/budgets/request-decision.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { gateOf } from "../../support/decisions.ts";
import { canonicalizeJson, readMember, readString } from "#wire/json.ts";
import { lockedTool } from "../../support/locks.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { plainReader } from "../../support/plain-reader.ts";
import { meterOptions, sha256, summaryOf } from "../../support/play.ts";
import { type Channel, listed, RepeatPlay } from "../../support/repeat-play.ts";
import { call, request, textResult } from "../../support/rpc.ts";
import { callPrices } from "./setting.ts";
import { type Setting, Wire } from "./wire.ts";

const long = "roses need water. ".repeat(60);
const search = { name: "search", inputSchema: { type: "object" } };
const result = (id: number, value: object) => ({ jsonrpc: "2.0", id, result: value });
const whole = (id: number) => textResult(id, long);
const note =
  /^mcp-meter: search ran, and its answer \([\d,]+ tokens\) is unchanged since the call at 00:\d\d UTC with the same arguments\. Use that answer\. If you do not have it, repeat the call to get it whole\.$/;

type Told = ConstructorParameters<typeof GatedSession>[1] & { readonly tools?: readonly object[] };

function begun(
  specs: readonly string[] = [],
  { tools = [search], ...told }: Told = {},
): GatedSession {
  return new GatedSession(specs, { notesRepeats: true, ...told })
    .client(request(1, "tools/list"))
    .server(result(1, { tools }));
}

function textIn(line: string | undefined): string {
  const content = readMember(JSON.parse(line ?? "{}"), "result", "content");
  return (Array.isArray(content) && readString(content[0], "text")) || "";
}

/** The answer to a call of `search` as the client gets it: "whole", "note", or its text. */
function read(
  session: GatedSession,
  id: number,
  answer: object = whole(id),
  args: object = {},
): string {
  session.client(call(id, "search", args)).server(answer);
  const line = session.toClient.at(-1);
  if (line === JSON.stringify(answer)) return "whole";
  return note.test(textIn(line)) ? "note" : textIn(line);
}

function firstTwo([first, second]: readonly CallRecord[]): readonly [CallRecord, CallRecord] {
  if (!first || !second) throw new Error("there are fewer than two calls");
  return [first, second];
}

const ids = [10, 11, 12, 13, 14, 15];

describe("--repeat note", () => {
  test("every second identical answer is a note, and a call more gets it whole", () => {
    const session = begun();
    expect(ids.map((id) => read(session, id))).toEqual([
      "whole",
      "note",
      "whole",
      "note",
      "whole",
      "note",
    ]);
    expect(textIn(session.toClient.at(-1))).toStartWith(
      "mcp-meter: search ran, and its answer (360 tokens) is unchanged since the call at 00:00 UTC",
    );
  });

  test("the record has the tokens that were saved, and the hash of the server's answer", () => {
    const session = begun();
    for (const id of [10, 11]) read(session, id);
    const [first, second] = firstTwo(session.end().calls);
    const saved = first.output_tokens - second.output_tokens;
    expect(first).not.toHaveProperty("saved_tokens");
    expect(saved).toBeGreaterThan(250);
    expect(second).toMatchObject({
      outcome: "ok",
      saved_tokens: saved,
      wire_tokens: first.wire_tokens,
      result_sha256: first.result_sha256,
    });
    const { repeats, total } = summaryOf(session.records);
    expect(repeats).toMatchObject({ calls: 1, notes: 1, saved_tokens: saved });
    expect(total.total_tokens).toBe(first.total_tokens + second.total_tokens);
  });

  test("without it nothing is held, and a session without repeats has no sum of them", () => {
    const session = begun([], { notesRepeats: false });
    expect(session.meter.holds("server")).toBe(false);
    expect([10, 11].map((id) => read(session, id))).toEqual(["whole", "whole"]);
    expect(summaryOf(session.end().records).repeats).not.toHaveProperty("saved_tokens");
    expect(begun().meter.holds("client")).toBe(false);
    expect(begun().meter.holds("server")).toBe(true);
  });

  test("the name of a tool is safe and bounded, and the text short", () => {
    const name = `\u202e${"n".repeat(200)}`;
    const session = begun([], { tools: [{ ...search, name }] });
    for (const id of [10, 11]) session.client(call(id, name)).server(whole(id));
    const text = textIn(session.toClient.at(-1));
    expect(text).toStartWith("mcp-meter: \\u202ennn");
    expect(text.length).toBeLessThan(300);
  });
});

describe("an answer is whole", () => {
  const image = { type: "image", data: "eA==", mimeType: "image/png" };
  const text = { type: "text", text: long };
  const serverInfo = { "io.modelcontextprotocol/serverInfo": { name: "garden", version: "1" } };

  test.each([
    ["that changed", [whole(10), textResult(11, `${long}!`)]],
    ["of an error", [10, 11].map((id) => result(id, { content: [text], isError: true }))],
    [
      "of a protocol error",
      [10, 11].map((id) => ({ jsonrpc: "2.0", id, error: { code: -5, message: long } })),
    ],
    [
      "after an error of the same call",
      [whole(10), { jsonrpc: "2.0", id: 11, error: { code: -5, message: "x" } }, whole(12)],
    ],
    [
      "that asks for input",
      [10, 11].map((id) => result(id, { content: [text], resultType: "input_required" })),
    ],
    [
      "with a member that is not known",
      [10, 11].map((id) => result(id, { content: [text], x: 1 })),
    ],
    [
      "with a block of an unknown kind",
      [10, 11].map((id) => result(id, { content: [text, { type: "x" }] })),
    ],
    ["with a member next to the result", [10, 11].map((id) => ({ ...whole(id), x: 1 }))],
    [
      "with both result and error",
      [10, 11].map((id) => ({ ...whole(id), error: { code: 1, message: "x" } })),
    ],
    ["whose id is a text", [10, 11].map((id) => ({ ...whole(id), id: String(id) }))],
    ["with other _meta", [10, 11].map((id) => result(id, { content: [text], _meta: { id } }))],
    [
      "of a task",
      [10, 11].map((id) => result(id, { task: { taskId: `t${id}`, status: "working" } })),
    ],
    [
      "with a name of the server that is none",
      [10, 11].map((id) =>
        result(id, { content: [text], _meta: { "io.modelcontextprotocol/serverInfo": {} } }),
      ),
    ],
    [
      "with a token of progress",
      [10, 11].map((id) =>
        result(id, { content: [text], _meta: { ...serverInfo, progressToken: {} } }),
      ),
    ],
  ])("%s", (_name, answers) => {
    const session = begun();
    const got = answers.map((answer, at) => read(session, 10 + at, answer));
    expect(got).toEqual(answers.map(() => "whole"));
  });

  test.each([
    ["with images", { content: [image, text] }],
    ["with _meta", { content: [text], _meta: { a: [1, { b: 2 }] } }],
    ["of the modern era", { content: [text], resultType: "complete", _meta: serverInfo }],
    ["that says it is no error", { content: [text], isError: false }],
  ])("once, and then a note with all other members: %s", (_name, value) => {
    const session = begun();
    expect([10, 11].map((id) => read(session, id, result(id, value)))).toEqual(["whole", "note"]);
    const noted = JSON.parse(session.toClient.at(-1) ?? "");
    expect(noted).toEqual(result(11, { ...value, content: noted.result.content }));
  });

  const scripted = { readerFor: () => plainReader("codex-mcp-client") };
  const schema = { ...search, outputSchema: { type: "object" } };
  const page = { resourceUri: "ui://x" };

  test.each<[string, Told]>([
    ["of a tool that was not listed", { tools: [] }],
    ["of a tool with a page", { tools: [{ ...search, _meta: { ui: page } }] }],
    [
      "of a tool with a page, by the older name",
      { tools: [{ ...search, _meta: { "ui/resourceUri": "ui://x" } }] },
    ],
    ["without the structure that the tool promised", { tools: [schema] }],
    ["that a script reads", scripted],
  ])("%s", (_name, told) => {
    const session = begun([], told);
    expect([10, 11].map((id) => read(session, id))).toEqual(["whole", "whole"]);
  });

  test("whose structure the client shows, because it has to stay", () => {
    const big = { content: [text], structuredContent: { text: long } };
    const got = ["claude-code", "opencode", "gemini-cli-mcp-client", "unheard-of"].map((client) => {
      const session = begun([], { tools: [schema], readerFor: () => plainReader(client) });
      return [10, 11].map((id) => read(session, id, result(id, big))).at(-1);
    });
    expect(got).toEqual(["whole", "note", "note", "whole"]);
  });

  test("whose structure would be written in another way", () => {
    const got = ["1", "1.0", "1e2", "12345678901234567890", "-0"].map((number) => {
      const session = begun([], { tools: [schema], readerFor: () => plainReader("opencode") });
      for (const id of [10, 11]) {
        session.client(call(id, "search"));
        session.serverLine(
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${JSON.stringify(long)}}],"structuredContent":{"n":${number}}}}`,
        );
      }
      return note.test(textIn(session.toClient.at(-1)));
    });
    expect(got).toEqual([true, false, false, false, false]);
  });

  test.each([
    [exactCountCharactersMax, "note"],
    [exactCountCharactersMax + 1, "whole"],
  ])("but for %i bytes that have to stay: %s", (bytes, expected) => {
    const session = begun([], { tools: [schema], readerFor: () => plainReader("opencode") });
    const value = {
      content: [text],
      structuredContent: { t: "x".repeat(bytes - '{"t":""}'.length) },
    };
    const got = [10, 11].map((id) => read(session, id, result(id, value)));
    expect(got).toEqual(["whole", expected]);
  });

  test("where the client would not show the note", () => {
    const session = begun([], { readerFor: () => plainReader("claude-code") });
    const value = { content: [image], structuredContent: { n: 1 } };
    expect([10, 11].map((id) => read(session, id, result(id, value)))).toEqual(["whole", "whole"]);
  });

  test("of which the client shows only a part", () => {
    const session = begun([], { readerFor: () => plainReader("claude-code") });
    const got = [10, 11].map((id) => read(session, id, textResult(id, long.repeat(50))));
    expect(got).toEqual(["whole", "whole"]);
  });

  test.each([
    [
      "another tool or other arguments",
      (session: GatedSession) => read(session, 11, whole(11), { q: 2 }),
    ],
    [
      "a line that is too long to keep",
      (session: GatedSession) => {
        session.client(call(11, "search")).serverLine(JSON.stringify(whole(11)), false);
        return read(session, 12);
      },
    ],
    [
      "the client says hello again",
      (session: GatedSession) => {
        session.client(request(2, "initialize", {})).server(result(2, {}));
        return read(session, 11);
      },
    ],
    [
      "the client cancelled the call when its answer was on its way",
      (session: GatedSession) => {
        session.client({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId: 10 },
        });
        return read(session, 11);
      },
    ],
    [
      "the client cancelled another call",
      (session: GatedSession) => {
        session.client(call(99, "search", { q: 2 }));
        session.client({
          jsonrpc: "2.0",
          method: "notifications/cancelled",
          params: { requestId: 99 },
        });
        return read(session, 11);
      },
    ],
    [
      "an answer that nobody asked for",
      (session: GatedSession) => {
        session.server(whole(98));
        return read(session, 11);
      },
    ],
    [
      "a line that some clients take for an answer",
      (session: GatedSession) => {
        session.serverLine('{"jsonrpc":"2.0","id":11,"result":');
        session.serverLine('{"jsonrpc":"2.0","id":1.5e400,"result":{}}');
        return read(session, 11);
      },
    ],
    [
      "the call has another thread",
      (session: GatedSession) => {
        const params = { name: "search", arguments: {}, _meta: { threadId: "t" } };
        session.client(request(11, "tools/call", params)).server(whole(11));
        return session.toClient.at(-1) === JSON.stringify(whole(11)) ? "whole" : "note";
      },
    ],
    [
      "the wall clock was set back",
      (session: GatedSession) => {
        session.shiftMs = -1;
        return read(session, 11);
      },
    ],
  ])("when %s", (_name, act) => {
    const session = begun();
    expect(read(session, 10)).toBe("whole");
    expect(act(session)).toBe("whole");
  });

  test("in a batch, and is not remembered from one", () => {
    const session = begun();
    expect(read(session, 10)).toBe("whole");
    session.client(call(11, "search"), call(12, "search"));
    session.server([whole(11), whole(12)]);
    expect(session.toClient.at(-1)).toBe(JSON.stringify([whole(11), whole(12)]));
    expect([13, 14].map((id) => read(session, id))).toEqual(["whole", "note"]);
  });

  test("after a round of input", () => {
    const session = begun();
    expect(read(session, 10)).toBe("whole");
    session.client(call(11, "search"));
    session.server(result(11, { resultType: "input_required", requestState: "s" }));
    const params = { name: "search", arguments: {}, requestState: "s", inputResponses: {} };
    session.client(request(12, "tools/call", params)).server(whole(12));
    expect(session.toClient.at(-1)).toBe(JSON.stringify(whole(12)));
  });

  test("of calls that were open when the client may have lost an answer", () => {
    const session = begun().client(call(10, "search")).server(whole(97), whole(10));
    expect([11, 12].map((id) => read(session, id))).toEqual(["whole", "note"]);
  });

  test("of two calls in flight the second answer is a note", () => {
    const session = begun().client(call(10, "search"), call(11, "search"));
    session.server(whole(11), whole(10));
    const [first, second] = session.toClient.slice(-2);
    expect(first).toBe(JSON.stringify(whole(11)));
    expect(textIn(second)).toMatch(note);
  });
});

describe("a note stands for an answer", () => {
  test.each([
    [repeatNoteCallsMax - 1, "note"],
    [repeatNoteCallsMax, "whole"],
  ])("with %i calls in between: %s", (between, expected) => {
    const session = begun();
    read(session, 10);
    for (let id = 100; id < 100 + between; id += 1) read(session, id, textResult(id, "x"), { id });
    expect(read(session, 11)).toBe(expected);
  });

  test.each([
    [repeatNoteAgeMaxMs, "note"],
    [repeatNoteAgeMaxMs + 1, "whole"],
  ])("that is %i ms old: %s", (ageMs, expected) => {
    const session = begun();
    read(session, 10);
    session.nowMs += ageMs;
    expect(read(session, 11)).toBe(expected);
  });

  test.each([
    [repeatNoteTokensMax, "note"],
    [repeatNoteTokensMax + 1, "whole"],
  ])("with %i tokens after it: %s", (tokens, expected) => {
    const session = begun([], { readerFor: () => plainReader("somebody", "words") });
    read(session, 10);
    read(session, 99, textResult(99, "x"), { q: 1 });
    const [, small] = session.end().calls;
    const rest = tokens - (small?.total_tokens ?? 0) + 1;
    const again = begun([], { readerFor: () => plainReader("somebody", "words") });
    read(again, 10);
    read(again, 99, textResult(99, wordsOf(rest)), { q: 1 });
    expect(read(again, 11)).toBe(expected);
    const [, between] = again.end().calls;
    expect(between?.total_tokens).toBe(tokens);
  });

  test(`that has ${repeatNoteSavedTokensMin} tokens more than it, at least`, () => {
    const saved = Array.from({ length: 60 }, (_, extra) => {
      const session = begun();
      const text = "x".repeat(450 + 3 * extra);
      const got = [10, 11].map((id) => read(session, id, textResult(id, text)));
      return got[1] === "note" ? session.end().calls[1]?.saved_tokens : undefined;
    });
    const found = saved.filter((tokens) => tokens !== undefined);
    expect(Math.min(...found)).toBe(repeatNoteSavedTokensMin);
    expect(saved).toEqual([
      ...Array.from({ length: saved.length - found.length }, () => undefined),
      ...found,
    ]);
    expect(found.length).toBeWithin(1, saved.length);
  });
});

/** As the estimator `words` counts them. */
function wordsOf(tokens: number): string {
  const { estimator } = plainReader("somebody", "words");
  const words = Array.from({ length: tokens }, () => "a").join(" ");
  let text = words;
  while (estimator.count(text) > tokens) text = text.slice(0, -2);
  return text;
}

describe("with budgets", () => {
  test("a note that fits is delivered where the answer would be refused, and costs what it has", () => {
    const session = begun(["500/session"]);
    expect([10, 11, 12].map((id) => read(session, id))).toEqual([
      "whole",
      "note",
      expect.stringContaining("search ran, but its answer was withheld"),
    ]);
    const { budgets } = summaryOf(session.end().records);
    const [first, second] = firstTwo(session.calls);
    expect(budgets[0]?.spent).toBe(first.total_tokens + second.total_tokens);
  });

  test("a note that does not fit is refused like its answer", () => {
    const session = begun(["400/session"]);
    expect([10, 11].map((id) => read(session, id))).toEqual([
      "whole",
      expect.stringContaining("search ran, but its answer was withheld"),
    ]);
  });

  test.each(["search=200:truncate", "search=200:spill", "search=200"])(
    "an answer that %s changed is never noted",
    (budget) => {
      const session = begun([budget], { saveAnswer: () => "/spills/1" });
      const got = [10, 11, 12].map((id) => read(session, id));
      expect(got.filter((text) => text === "whole" || text === "note")).toEqual([]);
      expect(session.end().calls.map((one) => one.saved_tokens)).toEqual(got.map(() => undefined));
    },
  );

  test("a counter that has to be asked is asked for the note once, and then for the answer", () => {
    const wire = wireOf({ budgets: [parseBudget("400/day", actions)], isAsked: true });
    const channel = pipe(wire);
    for (const id of [10, 11]) {
      void channel.ask(JSON.stringify(call(id, "search")));
      void channel.answer(id, JSON.stringify(whole(id)));
    }
    expect(textIn(wire.toClient.at(-1)?.text)).toContain("search ran, but its answer was withheld");
  });

  test("a noted call counts as a call", () => {
    const session = begun(["2calls/session"]);
    expect([10, 11].map((id) => read(session, id))).toEqual(["whole", "note"]);
    session.client(call(12, "search"));
    expect(textIn(session.toClient.at(-1))).toContain("search was not run");
  });

  test("notes do not hide how large the answers of a tool usually are", () => {
    const session = begun(["1600/session"]);
    const got = [...ids, 16].map((id) => read(session, id));
    expect(got.slice(0, 6)).toEqual(["whole", "note", "whole", "note", "whole", "note"]);
    expect(got[6]).toContain("search was not run");
  });

  test("with --max-repeats no note asks for a call that would be refused", () => {
    const session = begun([], { repeatsMax: 3 });
    const refused = expect.stringContaining("It was called 3 times in a row");
    expect(ids.slice(0, 4).map((id) => read(session, id))).toEqual([
      "whole",
      "note",
      "whole",
      refused,
    ]);
    const tight = begun([], { repeatsMax: 2 });
    expect(ids.slice(0, 2).map((id) => read(tight, id))).toEqual(["whole", "whole"]);
  });

  test("with --max-repeats a refused call is no answer", () => {
    const session = begun([], { repeatsMax: 2 });
    expect([10, 11].map((id) => read(session, id))).toEqual(["whole", "whole"]);
    session.client(call(12, "search"));
    expect(textIn(session.toClient.at(-1))).toContain("was not run");
  });
});

describe("behind a URL", () => {
  type Asked = { readonly threadId?: string; readonly client?: string };

  class Exchanges {
    readonly #meter = new Meter(
      meterOptions({ gate: gateOf([], { notesRepeats: true }), transport: "http" }),
    );
    readonly #isStateless: boolean;
    #number = 0;

    constructor(isStateless: boolean) {
      this.#isStateless = isStateless;
      this.ask(request(1, "tools/list"), result(1, { tools: [search] }));
    }

    call({ threadId, client = "somebody" }: Asked = {}): string {
      const meta = {
        ...(threadId === undefined ? {} : { threadId }),
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: client, version: "1" },
      };
      const params = { name: "search", arguments: {}, _meta: meta };
      const { passes, toClient } = this.ask(request(7, "tools/call", params), whole(7));
      return passes ? "whole" : note.test(textIn(toClient.map(textOf).at(0))) ? "note" : "other";
    }

    ask(asked: object, answer: object): Judgement {
      this.#number += 1;
      const exchange = { number: this.#number, isStateless: this.#isStateless };
      this.#say({ from: "client", hasPassed: true, exchange }, asked);
      return this.#say({ from: "server", hasPassed: false, exchange }, answer);
    }

    leave(): void {
      this.#meter.judge({ kind: "exchange-end", exchange: this.#number, outcome: "cancelled", at });
    }

    #say(told: Pick<LineEvent, "from" | "hasPassed" | "exchange">, message: object): Judgement {
      const bytes = bytesOf(`${JSON.stringify(message)}\n`);
      const line = { bytes, size: bytes.length, skim: undefined };
      return this.#meter.judge({ kind: "line", line, at, ...told });
    }
  }

  const at = { wallMs: Date.UTC(2026, 8, 1), monoMs: 0 };

  test("a session is a conversation", () => {
    const session = new Exchanges(false);
    expect([session.call(), session.call(), session.call()]).toEqual(["whole", "note", "whole"]);
  });

  test("without one, only a request that names its conversation is in it", () => {
    const shared = new Exchanges(true);
    expect([shared.call(), shared.call()]).toEqual(["whole", "whole"]);
    const one = { threadId: "one" };
    expect([shared.call(one), shared.call({ threadId: "two" }), shared.call(one)]).toEqual([
      "whole",
      "whole",
      "note",
    ]);
  });

  test("a client that left may not have read the answer", () => {
    const shared = new Exchanges(true);
    const one = { threadId: "one" };
    expect(shared.call(one)).toBe("whole");
    shared.leave();
    expect(shared.call(one)).toBe("whole");
  });

  test("another client may show other parts of an answer", () => {
    const session = new Exchanges(false);
    expect(session.call()).toBe("whole");
    expect(session.call({ client: "claude-code" })).toBe("whole");
  });
});

describe("together with", () => {
  test("--annotate the note has the cost of the call that was noted", () => {
    const session = begun([], { isAnnotating: true });
    for (const id of [10, 11]) session.client(call(id, "search")).server(whole(id));
    const noted = JSON.parse(session.toClient.at(-1) ?? "");
    expect(textIn(session.toClient.at(-1))).toMatch(note);
    const second = session.end().calls[1];
    expect(noted.result["_meta"]["dev.mcp-meter/usage"]).toMatchObject({
      tokens: second?.total_tokens,
      output_tokens: second?.output_tokens,
    });
  });

  test("--enforce-lock calls of other tools are refused, and repeats of locked ones noted", () => {
    const lock = {
      tools: [lockedTool({ name: "search", sha256: sha256(canonicalizeJson(search)) })],
    };
    const session = begun([], { lock });
    expect([10, 11].map((id) => read(session, id))).toEqual(["whole", "note"]);
    session.client(call(12, "read"));
    expect(textIn(session.toClient.at(-1))).toContain("read was not run");
  });
});

function wireOf(setting: Pick<Setting, "budgets" | "isAsked">): Wire {
  return new Wire({
    ...setting,
    errorForm: "tool",
    repeatsMax: undefined,
    notesRepeats: true,
    client: "host",
    tokenizer: "chars3",
    observedMax: 8 * 1024 * 1024,
    canKeep: false,
    callPrices,
  });
}

function pipe(wire: Wire): Channel {
  wire.say("client", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  wire.say("server", JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: listed } }));
  return {
    mayBatch: true,
    isStateless: false,
    ask: (text) => wire.say("client", text),
    answer: (_id, text) => {
      const before = wire.toClient.length;
      wire.say("server", text);
      return wire.toClient.slice(before).map((arrival) => arrival.text);
    },
    say: (from, text) => wire.say(from, text),
    later: (ms) => wire.later(ms),
  };
}

test("an answer is delivered whole, or is byte-equal to one that was delivered whole shortly before", async () => {
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= 200; seed += 1) {
    const budgets = seed % 4 === 0 ? [parseBudget("1M/session", actions)] : [];
    const wire = wireOf({ budgets, isAsked: seed % 8 === 0 });
    const play = new RepeatPlay(seed, pipe(wire), seed % 2 === 0);
    await play.play(60);
    wire.end();
    const notes = wire.records.filter((r) => r.type === "call" && r.saved_tokens !== undefined);
    expect(notes).toHaveLength(play.seen.get("note") ?? 0);
    for (const [kind, count] of play.seen) seen.set(kind, (seen.get(kind) ?? 0) + count);
  }
  for (const kind of ["whole", "whole again", "note", "batch", "disturbed"])
    expect([kind, seen.get(kind)]).toEqual([kind, expect.any(Number)]);
}, 60_000);
