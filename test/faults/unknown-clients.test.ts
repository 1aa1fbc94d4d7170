import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { isObject, readMember, readString } from "#wire/json.ts";
import { expensiveNumbers, expensiveResults } from "../support/expensive-answers.ts";
import { o200kTokens } from "../support/eras.ts";
import { type Form, jsonHead, whole } from "../support/over-budget-answers.ts";
import { startOverBudgetServer } from "../support/over-budget-server.ts";
import { Folder } from "../support/folder.ts";
import { buildGoReader } from "../support/go-reader.ts";
import { has } from "../support/needs.ts";
import { pythonPath } from "../support/programs.ts";
import { openV1 } from "../support/client-v1.ts";
import { openV2 } from "../support/client-v2.ts";
import { call, initialize, request } from "../support/rpc.ts";
import type { RawHttpServer } from "../support/raw-http-server.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import type { ReachedServer } from "../support/servers.ts";
import { executable, fixture, metered, testMaxMs } from "../support/session.ts";
import { eachFirst, slowIf } from "../support/slow-cases.ts";

setDefaultTimeout(testMaxMs);

const limit = 300;
const hasGo = has("go", "rows 151 and 153");
const hasPython = has("python3", "rows 151 and 153");

type Reader = (
  server: ReachedServer,
  tools: readonly string[],
) => Promise<ReadonlyMap<string, readonly string[]>>;

async function eachTool(
  tools: readonly string[],
  read: (tool: string) => Promise<readonly string[]>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const texts = new Map<string, readonly string[]>();
  for (const tool of tools) texts.set(tool, await read(tool));
  return texts;
}

const aiSdk: Reader = async (server, names) => {
  const [command = "", ...args] = server instanceof URL ? [] : server.argv;
  const env = server instanceof URL ? {} : { PATH: process.env["PATH"] ?? "", ...server.env };
  const client = await createMCPClient({
    transport:
      server instanceof URL
        ? { type: "http", url: server.href }
        : new StdioTransport({ command, args, env, stderr: "ignore" }),
  });
  const tools: { readonly [name: string]: unknown } = await client.tools();
  const texts = await eachTool(names, (name) => readByAiSdk(tools[name]));
  await client.close();
  return texts;
};

type AiTool = {
  execute(args: object, options: object): Promise<unknown>;
  toModelOutput(of: { output: unknown }): { readonly type: string; readonly value: unknown };
};

async function readByAiSdk(tool: unknown): Promise<readonly string[]> {
  const { execute, toModelOutput } = tool as AiTool;
  try {
    const output = await execute({}, { toolCallId: "1", messages: [] });
    const { type, value } = toModelOutput({ output });
    const parts: readonly unknown[] = type === "content" && Array.isArray(value) ? value : [value];
    const shown = parts.map((part) => readString(part, "text") ?? imageOr(part));
    return [shown.join(""), type === "text" ? String(value) : JSON.stringify(value)];
  } catch (error) {
    return [String(error)];
  }
}

function imageOr(part: unknown): string {
  return readString(part, "type") === "file" ? "" : JSON.stringify(part);
}

const sdkV1: Reader = async (server, names) => {
  const client = await openV1(server);
  const texts = await eachTool(names, (name) =>
    asJson(client.callTool({ name, arguments: {} }, undefined, { timeout: answerMaxMs })),
  );
  await client.close();
  return texts;
};

const sdkV2: Reader = async (server, names) => {
  const client = await openV2(server, "legacy");
  const texts = await eachTool(names, (name) =>
    asJson(client.callTool({ name, arguments: {} }, { timeout: answerMaxMs })),
  );
  await client.close();
  return texts;
};

const answerMaxMs = 5_000;

async function asJson(asked: Promise<unknown>): Promise<readonly string[]> {
  try {
    const result = await asked;
    const halves = [readMember(result, "content"), readMember(result, "structuredContent")];
    return halves.flatMap((half) => (half === undefined ? [] : [JSON.stringify(half)]));
  } catch (error) {
    return [String(error)];
  }
}

const python: Reader = async (server, names) => {
  const script = fixture("reads-as-python.py")[1]?.replace(/\.ts$/, "") ?? "";
  const where = server instanceof URL ? [server.href] : server.argv;
  const env = { ...process.env, ...(server instanceof URL ? {} : server.env) };
  const child = Bun.spawn([pythonPath(), script, JSON.stringify(names), ...where], {
    env,
    stderr: "inherit",
  });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  return new Map(lines.map((line): [string, string[]] => JSON.parse(line)));
};

const goReader = hasGo ? buildGoReader() : undefined;
afterAll(() => goReader?.[Symbol.dispose]());

const go: Reader = async (server, names) => {
  const [command = "", ...args] = server instanceof URL ? [] : server.argv;
  const env = { ...process.env, ...(server instanceof URL ? {} : server.env) };
  const argv = [goReader?.program ?? "", JSON.stringify(names), command, ...args];
  const child = Bun.spawn(argv, { env, stderr: "inherit" });
  const lines = (await new Response(child.stdout).text()).trim().split("\n");
  const read = lines.map((line): [string, string[][]] => JSON.parse(line));
  return new Map(read.map(([name, texts]) => [name, texts.flat()]));
};

const readers: readonly (readonly [name: string, reader: Reader])[] = [
  ["the Vercel AI SDK", aiSdk],
  ["SDK 1.x", sdkV1],
  ["SDK 2.x", sdkV2],
  ...(hasPython ? [["Python", python] as const] : []),
];

const rowOf = (tool: string): number => (tool in expensiveNumbers ? 153 : 151);

function expectCeiling(texts: ReadonlyMap<string, readonly string[]>): void {
  expect([...texts.keys()].toSorted()).toEqual(Object.keys(expensiveResults).toSorted());
  const above = [...texts].flatMap(([tool, shown]) =>
    shown.flatMap((text): string[] => {
      const tokens = o200kTokens(text);
      return tokens <= limit ? [] : [`row ${rowOf(tool)} ${tool}: ${tokens} tokens`];
    }),
  );
  expect(above).toEqual([]);
}

const actions = ["error", "truncate", "spill"];

describe("row 151 and row 153: no reading of an answer exceeds a budget on stdio", () => {
  const all = [...readers, ...(hasGo ? [["Go", go] as const] : [])];
  for (const [at, [name, read]] of all.entries()) {
    const inTurn = [...actions.slice(at % 3), ...actions.slice(0, at % 3)];
    eachFirst(1, inTurn)(`row 151 and row 153: with ${name} in front, %s`, async (action) => {
      using folder = new Folder();
      const budget = `*=${limit}:${action}`;
      const meter = [executable, "--summary", "off", "--log", "off", "--budget", budget, "--"];
      const [program = "", ...args] = [...meter, ...fixture("answers-expensively")];
      const argv: readonly [string, ...string[]] = [program, ...args];
      const server = { name: "expensive", argv, env: { XDG_STATE_HOME: folder.path } };
      expectCeiling(await read(server, Object.keys(expensiveResults)));
    });
  }
});

describe("row 151 and row 153: no reading of an answer exceeds a budget over HTTP", () => {
  let server: RawHttpServer;
  beforeAll(async () => {
    const forms = Object.entries(expensiveResults).map(([name, result]): [string, Form] => [
      name,
      ({ id }) =>
        whole(jsonHead, `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`),
    ]);
    server = await startOverBudgetServer(Object.fromEntries(forms));
  });
  afterAll(() => server[Symbol.dispose]());
  // On stdio each of them has each action; over HTTP the gate differs, not the clients.
  for (const [at, [name, read]] of readers.entries()) {
    const action = actions[at % actions.length];
    const part = slowIf(at > 0);
    test(`row 151 and row 153: with ${name} in front, ${action}${part}`, async () => {
      using through = await ServedProxy.start(server.url, ["--budget", `*=${limit}:${action}`]);
      expectCeiling(await read(through.url, Object.keys(expensiveResults)));
    });
  }
});

describe("row 151: what an unknown client is told", () => {
  test("row 151: contents and messages that are no list are read all the same", async () => {
    await using session = metered(fixture("answers-expensively"), {
      flags: ["--budget", "300/session"],
    });
    await session.ask(initialize(1));
    for (const [id, method] of [
      [2, "resources/read"],
      [3, "prompts/get"],
    ] as const) {
      await session.send(request(id, method, { uri: "a", name: "a" }));
      expect(await session.line(`"id":${id}`)).toContain("was withheld");
    }
    await session.finish();
  });

  test("row 151: a refusal names --as-client, and the record has the likely number and the most", async () => {
    await using session = metered(fixture("answers-expensively"), { flags: ["--budget", "*=300"] });
    await session.ask(initialize(1));
    await session.send(call(2, "link-title"));
    expect(await session.line('"id":2')).toContain(
      "Ask for less, or ask the user to set --as-client NAME.",
    );
    await session.send(call(3, "cjk"));
    expect(await session.line('"id":3')).toContain("at most");
    await session.finish();
  });

  test("row 151: a named client gets what it is known to read", async () => {
    const flags = ["--as-client", "claude-code", "--budget", "*=300"];
    await using session = metered(fixture("answers-expensively"), { flags });
    await session.ask(initialize(1));
    await session.send(call(2, "link-title"));
    expect(await session.line('"id":2')).toContain("word word");
    await session.finish();
  });

  test("row 151: the sum of a session is held, too", async () => {
    await using session = metered(fixture("answers-expensively"), {
      flags: ["--budget", "300/session"],
    });
    await session.ask(initialize(1));
    let delivered = 0;
    for (let id = 2; id < 12; id += 1) {
      await session.send(call(id, id % 2 === 0 ? "link-of-quotes" : "text-of-escapes"));
      const line = await session.line(`"id":${id}`);
      const answer: unknown = JSON.parse(line);
      if (!/was withheld|was not run/.test(line) && isObject(answer)) {
        delivered += o200kTokens(JSON.stringify(readMember(answer, "result", "content")));
      }
    }
    expect(delivered).toBeLessThanOrEqual(300);
    await session.finish();
  });
});

const bytesOf = (...numbers: readonly number[]): Buffer => Buffer.from(numbers);
const little = (value: number): number[] => [value & 255, (value >> 8) & 255];
const little32 = (value: number): number[] => [...little(value & 0xffff), ...little(value >>> 16)];

/** A screen of 16 × 16, and a frame of 2576 × 2576. */
const gif = Buffer.concat([
  Buffer.from("GIF89a"),
  bytesOf(...little(16), ...little(16), 0, 0, 0, 0x2c, 0, 0, 0, 0),
  bytesOf(...little(2_576), ...little(2_576), 0, 2, 1, 0, 0, 0x3b),
]);
/** The same screen and frame, behind more comments than are read. */
const farGif = Buffer.concat([
  gif.subarray(0, 13),
  ...Array.from({ length: 300 }, () =>
    Buffer.concat([bytesOf(0x21, 0xfe, 255), Buffer.alloc(256)]),
  ),
  gif.subarray(13),
]);
/** A frame of 2576 × 2576 behind fill bytes, whose four bytes of a false segment hold a small one. */
const jpeg = Buffer.concat([
  bytesOf(0xff, 0xd8, 0xff, 0xff, 0xfe, 0, 4, 1, 2),
  bytesOf(0xff, 0xff, 0xc0, 0, 17, 8, 0x0a, 0x10, 0x0a, 0x10, 3, ...Array<number>(20).fill(0)),
]);
/** 131 seconds at 8 kHz of one byte, whose byte rate says 3 milliseconds. */
const wavOf = (tag: number, frame: number): Buffer =>
  Buffer.concat([
    Buffer.from("RIFF\0\0\0\0WAVEfmt "),
    bytesOf(...little32(16), tag, 0, 1, 0, ...little32(8_000), ...little32(0xffffffff)),
    bytesOf(...little(frame), 8, 0),
    Buffer.from("data"),
    bytesOf(...little32(1_048_000)),
    Buffer.alloc(1_048_000),
  ]);

const media = [
  ["GIF", "image", "claude-code", "image/gif", gif],
  ["JPEG", "image", "claude-code", "image/jpeg", jpeg],
  ["GIF behind comments", "image", "claude-code", "image/gif", farGif],
  ["WAV", "audio", "cursor-vscode", "audio/wav", wavOf(1, 1)],
  ["WAV of large frames", "audio", "cursor-vscode", "audio/wav", wavOf(1, 700)],
  ["WAV of GSM", "audio", "cursor-vscode", "audio/wav", wavOf(0x31, 700)],
] as const;

describe("row 153: numbers and characters as they are written", () => {
  test("row 153: a record has the likely number, and the most that the budget counted", async () => {
    await using session = metered(fixture("answers-expensively"), {
      flags: ["--tokenizer", "o200k", "--budget", "100k/session"],
    });
    await session.ask(initialize(1));
    await session.ask(call(2, "long-integers"));
    await session.finish();
    const [record] = session.records("call");
    expect(record?.["total_tokens"]).toBeLessThan(100);
    expect(record?.["most_tokens"]).toBeWithin(13_300, 13_500);
  });
});

describe("row 155: media whose header understates exceed no budget", () => {
  const watchers = [...new Set(media.map(([, , client]) => client))];
  test.each(watchers)("row 155: each is withheld from %s", async (watcher) => {
    using folder = new Folder();
    const file = folder.file("block.json", "");
    const flags = ["--as-client", watcher, "--budget", "*=1500"];
    await using session = metered(fixture("answers-expensively", file), { flags });
    await session.ask(initialize(1));
    for (const [at, [name, type, client, mimeType, bytes]] of media.entries()) {
      if (client !== watcher) continue;
      writeFileSync(file, JSON.stringify({ type, mimeType, data: bytes.toString("base64") }));
      const id = at + 2;
      await session.send(request(id, "tools/call", { name: "file", arguments: { name } }));
      const line = await session.line(`"id":${id}`);
      expect(line.slice(0, 200)).toContain("was withheld");
    }
    await session.finish();
  });
});
