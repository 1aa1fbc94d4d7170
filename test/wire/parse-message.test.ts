import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { nameCharactersMax } from "#kit/limits.ts";
import { batchItemsMax, structuresMax, parseMessage } from "#wire/parse-message.ts";
import { LineSplitter, type Line, lineTrustedBytesMax } from "#wire/line.ts";
import type { Message } from "#wire/message.ts";
import { bytesOf } from "../support/bytes.ts";
import { nestingMax } from "#wire/json.ts";

function toLine(text: string): Line {
  const bytes = bytesOf(text);
  return { bytes, size: bytes.length, skim: undefined };
}

function toSkimmedLine(text: string): Line {
  const splitter = new LineSplitter(1);
  splitter.push(bytesOf(text));
  return splitter.end() ?? toLine("");
}

function read(text: string): Message {
  return parseMessage(toLine(text));
}

const rpc = (members: string): string => `{"jsonrpc":"2.0",${members}}`;
const opaque = (reason: string) => ({ kind: "opaque", reason });

function guardedKind(text: string, guarded: "client" | "server"): string {
  const message = parseMessage(toLine(text), { guarded });
  return message.kind === "opaque" ? message.reason : message.kind;
}
const call = '"id":1,"method":"tools/call","params":{"name":"x"';

describe("parseMessage, guarded,", () => {
  const cases: readonly (readonly [kind: string, text: string])[] = [
    ["request", rpc(`${call}}`)],
    ["request", `\uFEFF${rpc(`${call}}`)}\r`],
    ["request", rpc(`${call},"arguments":{"a":1,"a":2,"Name":"y","x":NaN}}`)],
    ["request", rpc('"id":1,"method":"ping","params":null,"trace":{}')],
    ["notification", rpc('"method":"x","id":null')],
    ["result", rpc('"id":1,"result":{"Content":1,"a":1,"a":2},"error":null')],
    ["error", rpc('"id":null,"error":{"code":-32700,"message":""}')],
    ["batch", `[${rpc('"method":"x"')}]`],
    ["blank", " \t"],
    ["ambiguous", rpc(`${call},"Arguments":{}}`)],
    ["ambiguous", rpc('"id":1,"result":{},"error":{}')],
    ["ambiguous", rpc('"id":null,"result":{},"error":{}')],
    ["ambiguous", rpc('"method":"tools/call"')],
    ["not-rpc", rpc("")],
    ["not-utf-8", [...rpc('"method":"x"')].join("\0")],
  ];
  test.each(cases)("of the client: %s of %s", (kind, text) => {
    expect(guardedKind(text, "client")).toBe(kind);
  });

  const repeatedName = '"id":1,"method":"tools/call","params":{"name":"t","name":"u"';
  test.each([
    [rpc(`${repeatedName},"arguments":{"id":1,"id":2}}`), true],
    [rpc(`${repeatedName}},"id":1`), undefined],
    [rpc(`${repeatedName}},"\\u0069d":2`), undefined],
    [`[${rpc(`${repeatedName},"arguments":{"id":1,"id":2}}`)}]`, true],
    [`[${rpc(`${repeatedName}},"id":1`)}]`, undefined],
  ])("of the client: a refusal of %s has an id: %p", (text, expectsAnswer) => {
    const message = parseMessage(toLine(text), { guarded: "client" });
    expect(message.kind === "batch" ? message.items[0] : message).toEqual({
      kind: "opaque",
      reason: "ambiguous",
      mayHoldMessage: true,
      ...(expectsAnswer && { expectsAnswer }),
    });
  });

  test("of the server: an answer with one id for all readers has no content, words are none", () => {
    const unread: Message = {
      kind: "result",
      id: { value: 1 },
      result: undefined,
      truncated: true,
      mayBeRejected: true,
    };
    for (const text of ['"id":1,"result":{},"Result":{}', '"id":1,"result":{"a":1,"a":2}']) {
      expect(parseMessage(toLine(rpc(text)), { guarded: "server" })).toEqual(unread);
    }
    expect(guardedKind(rpc('"id":1,"ID":2,"result":{}'), "server")).toBe("ambiguous");
    expect(guardedKind(rpc('"id":1,"method":"x","params":{"Name":"y"}'), "server")).toBe("request");
    expect(parseMessage(toLine('{"level":"info"}'), { guarded: "server" })).toEqual({
      kind: "opaque",
      reason: "not-rpc",
    });
  });
});

describe("parseMessage", () => {
  type Row = readonly [text: string, message: object];
  const rows: readonly Row[] = [
    [rpc('"id":1,"method":"ping"'), { kind: "request", id: { value: 1 }, method: "ping" }],
    [rpc('"id":"1","method":"ping"'), { kind: "request", id: { value: "1" } }],
    [rpc('"id":"","method":"ping"'), { kind: "request", id: { value: "" } }],
    [rpc('"id":0,"method":"ping"'), { kind: "request", id: { value: 0 } }],
    [rpc('"id":-7,"method":"ping"'), { kind: "request", id: { value: -7 } }],
    [rpc('"id":1.0,"method":"ping"'), { kind: "request", id: { value: 1 } }],
    [
      rpc('"id":9007199254740993,"method":"ping"'),
      { kind: "request", id: { value: 9007199254740992, raw: "9007199254740993" } },
    ],
    [rpc('"id": 1.5 ,"method":"ping"'), { kind: "request", id: { value: 1.5, raw: "1.5" } }],
    [
      rpc('"method":"notifications/x","params":{"a":1}'),
      { kind: "notification", params: { a: 1 } },
    ],
    [rpc('"id":null,"method":"tools/call"'), { kind: "notification", method: "tools/call" }],
    [rpc('"id":{},"method":"ping"'), opaque("not-rpc")],
    [rpc('"id":true,"method":"ping"'), opaque("not-rpc")],
    [rpc('"id":1,"result":{"a":1}'), { kind: "result", id: { value: 1 }, result: { a: 1 } }],
    [rpc('"id":1,"result":null'), { kind: "result", result: null }],
    [rpc('"id":null,"result":{}'), opaque("not-rpc")],
    [rpc('"id":1,"error":{"code":-1}'), { kind: "error", id: { value: 1 }, error: { code: -1 } }],
    [rpc('"id":null,"error":{}'), { kind: "error", id: undefined }],
    [rpc('"error":{}'), { kind: "error", id: undefined }],
    [rpc('"id":[],"error":{}'), opaque("not-rpc")],
    [rpc('"id":1'), opaque("not-rpc")],
    [rpc('"id":1,"method":7'), opaque("not-rpc")],
    ['{"id":1,"method":"ping"}', opaque("not-rpc")],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', opaque("not-rpc")],
    ["7", opaque("not-json")],
    ["null", opaque("not-json")],
    ['"text"', opaque("not-json")],
    ["[]", opaque("not-rpc")],
    ["[1,null]", opaque("not-rpc")],
    ["", opaque("blank")],
    [" \t\r\n", opaque("blank")],
    ["Listening on 8080", opaque("not-json")],
    ['{"jsonrpc":"2.0"', opaque("not-rpc")],
    ['{"jsonrpc":"2.0","method"', opaque("not-json")],
    [`\ufeff${rpc('"id":1,"method":"ping"')}`, { kind: "request" }],
    [`${rpc('"id":1,"method":"ping"')}\r\n`, { kind: "request" }],
  ];
  for (const [text, message] of rows) {
    test(`${JSON.stringify(text)} is ${JSON.stringify(message)}`, () => {
      expect(read(text)).toMatchObject(message);
    });
  }

  test("a batch is its elements, opaque ones in their places", () => {
    const text = `[${rpc('"id":1,"method":"ping"')},7,${rpc('"id":2,"result":{}')}]`;
    expect(read(text)).toMatchObject({
      kind: "batch",
      omitted: 0,
      items: [{ kind: "request" }, opaque("not-rpc"), { kind: "result" }],
    });
  });

  test(`of a batch of ${batchItemsMax + 1}, the last element is left`, () => {
    const sizes = [batchItemsMax, batchItemsMax + 1].map((count) => {
      const message = read(makeBatch(count));
      return message.kind === "batch" ? [message.items.length, message.omitted] : [];
    });
    expect(sizes).toEqual([
      [batchItemsMax, 0],
      [batchItemsMax, 1],
    ]);
  });

  test("a method name is cut", () => {
    const message = read(rpc(`"id":1,"method":"${"m".repeat(1_000)}"`));
    expect(message.kind === "request" && message.method.length).toBe(nameCharactersMax);
  });

  test("__proto__ is a member like any other", () => {
    expect(read('{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}')).toEqual({
      kind: "opaque",
      reason: "not-rpc",
    });
  });

  const nested = (levels: number): string =>
    rpc(`"id":7,"method":"tools/call","params":${"[".repeat(levels)}${"]".repeat(levels)}`);
  for (const [levels, truncated] of [
    [nestingMax - 1, false],
    [nestingMax, true],
    [100_000, true],
  ] as const) {
    test(`${levels} levels in a message are ${truncated ? "skimmed" : "parsed"}`, () => {
      const message = read(nested(levels));
      expect(message).toMatchObject({ kind: "request", id: { value: 7 }, truncated });
    });
  }

  const wide = (commas: number): string =>
    rpc(`"id":7,"result":[${"0,".repeat(commas)}${" ".repeat(lineTrustedBytesMax)}0]`);
  for (const [commas, truncated] of [
    [structuresMax - 4, false],
    [structuresMax, true],
  ] as const) {
    test(`a result of ${commas} commas is ${truncated ? "skimmed" : "parsed"}`, () => {
      expect(read(wide(commas))).toMatchObject({ kind: "result", truncated });
    });
  }

  test("nothing throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const message = parseMessage({ bytes, size: bytes.length, skim: undefined });
        expect(message.kind).toBeString();
      }),
    );
  });

  test("any JSON value is some message", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(read(JSON.stringify(value)).kind).toBeString();
      }),
    );
  });
});

describe("parseMessage, of a line too long to keep", () => {
  const ids = fc.constantFrom(
    "1",
    '"1"',
    '""',
    "9007199254740993",
    "1.5",
    "null",
    undefined,
    "true",
    "{}",
  );
  const bodies = fc.constantFrom(
    '"method":"tools/call"',
    '"method":"tools/call","params":{"id":5}',
    '"result":{"content":[]}',
    '"error":{"code":1}',
    '"other":1',
    '"method":7',
    '"params":{}',
  );

  test("reads the same frame as of a short one", () => {
    fc.assert(
      fc.property(ids, bodies, fc.boolean(), (id, body, isIdLast) => {
        const members = id === undefined ? [body] : [`"id":${id}`, body];
        const text = rpc((isIdLast ? members.toReversed() : members).join(","));
        expect(pickFrame(parseMessage(toSkimmedLine(text)))).toEqual(pickFrame(read(text)));
      }),
    );
  });

  test("nothing is truncated that was not there", () => {
    expect(parseMessage(toSkimmedLine(rpc('"id":1,"method":"x","params":{}')))).toEqual({
      kind: "request",
      id: { value: 1 },
      method: "x",
      params: undefined,
      truncated: true,
    });
  });

  const torn: readonly string[] = [
    '{"jsonrpc":"2.0","id":1,"method":"x"',
    "[1,2]",
    "x".repeat(30),
    "",
  ];
  for (const text of torn) {
    test(`${JSON.stringify(text)} is opaque`, () => {
      expect(parseMessage(toSkimmedLine(text)).kind).toBe("opaque");
    });
  }
});

function pickFrame(message: Message): object {
  if (message.kind === "opaque" || message.kind === "batch") return { kind: message.kind };
  const { kind } = message;
  const method = "method" in message ? message.method : undefined;
  return { kind, method, id: "id" in message ? message.id : undefined };
}

function makeBatch(count: number): string {
  return `[${Array(count).fill(rpc('"method":"x"')).join(",")}]`;
}
