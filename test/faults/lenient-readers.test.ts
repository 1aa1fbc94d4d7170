import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatLock } from "#lock/lock.ts";
import {
  answerTo as answerOf,
  type Form,
  jsonHead,
  eventsHead,
  whole,
} from "../support/over-budget-answers.ts";
import { startOverBudgetServer } from "../support/over-budget-server.ts";
import { Folder } from "../support/folder.ts";
import { buildGoReader, type GoReader } from "../support/go-reader.ts";
import { answerForms, requestForms, streamForms } from "../support/lenient-forms.ts";
import { lockedDefinition, lockWith } from "../support/locks.ts";
import { has } from "../support/needs.ts";
import { call, initialize, request } from "../support/rpc.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { executable, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { eachFirst } from "../support/slow-cases.ts";

setDefaultTimeout(testMaxMs);

const limit = 300;
const long = "word ".repeat(2_000);
const short = "word ".repeat(60);
const actions = ["error", "truncate", "spill"];
const listed = {
  name: "free",
  description: "As locked",
  inputSchema: { type: "object", properties: {} },
};

/** Without zeros, ASCII text is the same in all encodings. */
const withoutZeros = (bytes: Uint8Array): string =>
  Buffer.from(bytes.filter((byte) => byte > 0)).toString("latin1");
const wordsIn = (bytes: Uint8Array): number => withoutZeros(bytes).split("word").length - 1;

const requests = Object.entries(requestForms);
const forms = Object.keys(answerForms);
const idOf = (index: number): number => index + 1_000;

const gates: readonly (readonly [name: string, flags: readonly string[]])[] = [
  ["a forbidden tool", ["--budget", "delete_all=0"]],
  ["an enforced lock", ["--lock", "{dir}/lock.json", "--enforce-lock"]],
];

function writeLockOfFree(dir: string): void {
  writeFileSync(join(dir, "lock.json"), formatLock(lockWith([lockedDefinition(listed)])));
}

describe("row 158: a call that lenient servers may read in two ways does not run", () => {
  test.each(gates)("row 158: on stdio, under %s", async (_name, flags) => {
    const server = fixture("answers-leniently", "{dir}/got");
    await using session = metered(server, { flags, prepare: writeLockOfFree });
    await session.ask(initialize(1));
    await session.ask(request(2, "tools/list"));
    for (const [index, [, { write }]] of requests.entries()) {
      await session.input.write(
        Buffer.concat([Buffer.from(write(idOf(index))), Buffer.from("\n")]),
      );
    }
    expect(JSON.stringify(await session.ask(call(3, "free")))).toContain("ran");
    const got = withoutZeros(readFileSync(join(session.dir, "got")));
    expect(got).not.toContain("delete");
    const refused = new Set(
      session.messages.flatMap(({ id, error, result }) => (error || result ? [id] : [])),
    );
    const faults = requests.filter(
      ([, { isAnswered }], index) => refused.has(idOf(index)) !== isAnswered,
    );
    expect(faults.map(([name]) => name)).toEqual([]);
    await session.finish();
    const unclear = session.records("breach").filter(({ budget }) => budget === "valid messages");
    expect(unclear.length).toBeGreaterThan(requests.length - 8);
  });

  test("row 158: through serve", async () => {
    using server = await startOverBudgetServer({
      free: ({ id }) => whole(jsonHead, `{"jsonrpc":"2.0","id":${id},"result":{}}`),
    });
    using through = await ServedProxy.start(server.url, ["--budget", "delete_all=0"]);
    const post = await opened(through.url);
    for (const [index, [, { write }]] of requests.entries()) await post(write(idOf(index)));
    const hidden =
      '{"jsonrpc":"2.0","id":1,"method":"initialize","Method":"tools/call","params":{"name":"delete_all"}}';
    expect(await textIn(await post(hidden))).toContain("was not sent to the server");
    expect(await textIn(await post(JSON.stringify(call(3, "free"))))).toContain("result");
    expect(
      server.requests.filter(({ body }) => body.replaceAll("\0", "").includes("delete")),
    ).toEqual([]);
  });
});

describe("row 154: an answer that lenient clients may read exceeds no budget", () => {
  const clients = [
    ["an unknown client", []],
    ["a known client", ["--as-client", "claude-code"]],
  ] as const;
  for (const [client, named] of clients) {
    eachFirst(1, actions)(`row 154: on stdio, of ${client}, %s`, async (action) => {
      const flags = [...named, "--budget", `*=${limit}:${action}`];
      await using session = metered(fixture("answers-leniently", "{dir}/got", long), { flags });
      await session.ask(initialize(1));
      const above: string[] = [];
      for (const [index, form] of forms.entries()) {
        const words = wordsIn(await answerTo(session, form, idOf(index)));
        if (words > limit) above.push(`${form}: ${words} words`);
      }
      expect(above).toEqual([]);
    });
  }

  test("row 156: on stdio, what fits is charged in any encoding (slow)", async () => {
    const server = fixture("answers-leniently", "{dir}/got", short);
    const flags = forms.flatMap((form) => {
      const pattern = form.replaceAll(/[^\w-]/g, "?");
      return ["--budget", `${pattern}=${limit}/session`];
    });
    await using session = metered(server, { flags });
    await session.ask(initialize(1));
    let id = 2;
    for (const form of forms) {
      let words = 0;
      for (let times = 0; times < 8; times += 1, id += 1)
        words += wordsIn(await answerTo(session, form, id));
      expect([form, words]).toEqual([form, Math.min(words, limit)]);
    }
  });

  eachFirst(1, actions)("row 154: through serve, %s", async (action) => {
    // In an event, a CR ends the data.
    const { "behind words and a CR": _, ...others } = answerForms;
    const served = Object.entries(others).flatMap(([name, write]): [string, Form][] => [
      [name, ({ id }) => whole(jsonHead, write(Number(id), long))],
      [
        `event ${name}`,
        ({ id }) => whole(eventsHead, "event: other\n", ...dataOf(write(Number(id), long)), "\n\n"),
      ],
    ]);
    using server = await startOverBudgetServer(Object.fromEntries(served));
    using through = await ServedProxy.start(server.url, ["--budget", `*=${limit}:${action}`]);
    const post = await opened(through.url);
    const above: string[] = [];
    for (const [index, [name]] of served.entries()) {
      const answer = await post(JSON.stringify(call(idOf(index), name)));
      const words = wordsIn(await answer.bytes());
      if (words > limit) above.push(`${name}: ${words} words`);
    }
    expect(above).toEqual([]);
  });
});

describe("row 154: a stream of events that clients read in their own ways exceeds no budget", () => {
  test.each(actions)("row 154: %s", async (action) => {
    using server = await startOverBudgetServer(streams(long));
    using through = await ServedProxy.start(server.url, ["--budget", `*=${limit}:${action}`]);
    const post = await opened(through.url);
    const above: string[] = [];
    for (const [index, name] of Object.keys(streamForms).entries()) {
      const answer = await post(JSON.stringify(call(idOf(index), name)));
      const words = wordsIn(await answer.bytes());
      if (words > limit) above.push(`${name}: ${words} words`);
    }
    expect(above).toEqual([]);
  });

  test("row 154: under a wide budget they have the same bytes", async () => {
    using server = await startOverBudgetServer(streams(short));
    using through = await ServedProxy.start(server.url, ["--budget", "*=100M"]);
    const post = await opened(through.url);
    for (const [index, [name, write]] of Object.entries(streamForms).entries()) {
      const answer = await post(JSON.stringify(call(idOf(index), name)));
      expect(await textIn(answer)).toBe(write(answerOf(idOf(index), short)));
    }
  });
});

describe("row 154: lines that clients of the standard do not read as data leave the message as it is", () => {
  const lines = ["id: é1", "id: a\tb", "event: café", ': keepalive {"t":1}', "trace: {x}"];
  const orders: readonly (readonly [order: string, (line: string, data: string) => string])[] = [
    ["before", (line, data) => `${line}\n${data}`],
    ["after", (line, data) => `${data}${line}\n`],
  ];
  test.each(orders)("row 154: %s the data", async (_, order) => {
    const tools = [listed, { ...listed, name: "secret" }];
    using server = await startOverBudgetServer({}, ({ message }) => {
      const id = Number(message?.["id"]);
      const line = lines[id % lines.length] ?? "";
      const text = message?.["method"] === "tools/call" && answerOf(id, short);
      const list =
        message?.["method"] === "tools/list" &&
        JSON.stringify({ jsonrpc: "2.0", id, result: { tools } });
      if (!text && !list) return undefined;
      return whole(eventsHead, `${order(line, `data: ${text || list}\n`)}\n`);
    });
    const gate = ["--budget", "500/call:error", "--hide", "secret"];
    using through = await ServedProxy.start(server.url, gate);
    const post = await opened(through.url);
    for (const [index, line] of lines.entries()) {
      const id = lines.length * 2 + index;
      const answer = await textIn(await post(JSON.stringify(call(id, "free"))));
      expect([line, answer]).toEqual([
        line,
        expect.stringContaining(`data: ${answerOf(id, short)}\n`),
      ]);
      const list = await textIn(await post(JSON.stringify(request(id, "tools/list"))));
      expect([line, list.includes("free"), list.includes("secret")]).toEqual([line, true, false]);
    }
  });
});

describe.if(has("go", "row 154"))("row 154: with Go in front", () => {
  let reader: GoReader;
  beforeAll(() => {
    reader = buildGoReader();
  });
  afterAll(() => reader[Symbol.dispose]());

  eachFirst(1, actions)("row 154: %s", async (action) => {
    using folder = new Folder();
    const meter = [executable, "--summary", "off", "--budget", `*=${limit}:${action}`, "--"];
    const server = [...meter, ...fixture("answers-leniently", folder.at("got"), long)];
    const env = { ...process.env, XDG_STATE_HOME: folder.path };
    const argv = [reader.program, JSON.stringify(forms), ...server];
    const child = Bun.spawn(argv, { env, stderr: "inherit" });
    const read = (await child.stdout.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(read.map(([form]) => form)).toEqual(forms);
    expect(read.filter(([, texts]) => wordsIn(Buffer.from(String(texts))) > limit)).toEqual([]);
  });
});

function streams(text: string): Readonly<Record<string, Form>> {
  const written = Object.entries(streamForms).map(([name, write]): [string, Form] => [
    name,
    ({ id }) => whole(eventsHead, write(answerOf(id, text))),
  ]);
  return Object.fromEntries(written);
}

async function answerTo(session: Session, form: string, id: number): Promise<Uint8Array> {
  const from = session.stdout.length;
  await session.send(call(id, form), request(id + 100_000, "ping"));
  await session.answer(id + 100_000);
  return session.stdout.bytes.subarray(from);
}

function dataOf(written: string | Uint8Array): readonly (string | Uint8Array)[] {
  return ["data: ", typeof written === "string" ? written.replaceAll("\n", "\ndata: ") : written];
}

type Post = (body: string | Uint8Array) => Promise<Response>;

async function opened(url: URL): Promise<Post> {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const post = (
    body: string | Uint8Array,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> => fetch(url, { method: "POST", body, headers: { ...headers, ...more } });
  const greeting = await post(JSON.stringify(initialize(1)));
  const session = greeting.headers.get("mcp-session-id") ?? "";
  return (body) => post(body, { "Mcp-Session-Id": session });
}

async function textIn(answer: Response): Promise<string> {
  return answer.text();
}
