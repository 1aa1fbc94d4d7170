import { describe, expect, test, setDefaultTimeout } from "bun:test";

import { call, request } from "../support/rpc.ts";
import { bare, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

async function roundTrip(session: Session, pieces: readonly Uint8Array[]): Promise<Buffer> {
  for (const piece of pieces) {
    await session.input.write(piece);
    if (pieces.length < 200) await Bun.sleep(1);
  }
  await session.finish(20_000);
  return session.stdout.bytes;
}

function cut(bytes: Uint8Array, sizes: () => number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = Math.max(1, sizes());
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** A small generator with a seed, so that a red run can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const json = (text: string) => Buffer.from(`{"jsonrpc":"2.0","method":"${text}"}`);

const traffic = Buffer.from(
  [
    JSON.stringify(call(1, "search", { query: "naïve café 日本 🧮" })),
    "",
    '{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{ "name" : "x" }}\r',
    '[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","id":"1","method":"ping"}]',
    JSON.stringify(request(2, "tools/list")),
    "",
  ].join("\n"),
);

describe("row 1: odd, random and one-byte frames → identical both ways", () => {
  const seed = 20_261_001;
  const random = randomFrom(seed);
  const cuts: ReadonlyArray<readonly [string, () => number]> = [
    ["the whole at once", () => traffic.length],
    ["one byte at a time", () => 1],
    ["seven bytes at a time", () => 7],
    [`random pieces (seed ${seed})`, () => Math.floor(random() * 40)],
  ];
  for (const [name, sizes] of cuts) {
    for (const server of ["cat", "drip"]) {
      test(`row 1: ${name} through ${server}`, async () => {
        await using session = metered(server === "cat" ? ["cat"] : fixture(server));
        expect(await roundTrip(session, cut(traffic, sizes))).toEqual(traffic);
      });
    }
  }

  test(`row 1: random bytes of every value (seed ${seed})`, async () => {
    const noise = Buffer.from(Array.from({ length: 200_000 }, () => Math.floor(random() * 256)));
    await using session = metered(["cat"]);
    expect(
      await roundTrip(
        session,
        cut(noise, () => 4_096 * random()),
      ),
    ).toEqual(noise);
  });
});

describe("row 2: text that tempts a careless reader → identical", () => {
  const rows: ReadonlyArray<readonly [string, Uint8Array[]]> = [
    ["a code point cut in two", [hex("7b22f09f"), hex("a7ae227d0a")]],
    ["a byte order mark", [hex("efbbbf"), json("a"), hex("0a")]],
    ["CRLF", [json("a"), hex("0d0a"), json("b"), hex("0d0a")]],
    ["a lone CR", [json("a"), hex("0d"), json("b"), hex("0a")]],
    ["U+2028 and U+2029", [json("a\u2028b\u2029c"), hex("0a")]],
    ["NEL, form feed, vertical tab", [json("a\u0085b"), hex("0c 0b 0a")]],
    ["bytes that are not UTF-8", [hex("7b22ff fe c3 28 ed a0 80 227d 0a")]],
    ["a NUL", [hex("7b 00 7d 0a 00 0a")]],
    ["blank lines", [hex("0a 0a 20 0a 0d0a"), json("a"), hex("0a 0a")]],
    ["escapes that could be written shorter", [json("\\u0061\\/"), hex("20 0a")]],
    ["numbers that could be written otherwise", [Buffer.from('{"id":1.0,"n":1e400}\n')]],
  ];
  for (const [name, pieces] of rows) {
    test(`row 2: ${name}`, async () => {
      await using session = metered(["cat"]);
      expect(await roundTrip(session, pieces)).toEqual(Buffer.concat(pieces));
    });
  }
});

describe("row 3: no final newline → forwarded", () => {
  test("row 3: what the client left unfinished reaches the server", async () => {
    await using session = metered(["cat"]);
    const unfinished = Buffer.from('{"jsonrpc":"2.0","method":"a"}\n{"jsonrpc":"2.0","id":3');
    expect(await roundTrip(session, [unfinished])).toEqual(unfinished);
  });

  test("row 3: an unfinished line is passed on while both sides wait", async () => {
    await using session = metered(["cat"]);
    await session.input.write('{"half":');
    await eventually("its eight bytes", () => session.stdout.length >= 8);
    expect(session.stdout.text).toBe('{"half":');
  });
});

describe("rows 4 and 5: a server that says something else", () => {
  test("row 4: prose on stdout passes, is counted, and is mentioned once", async () => {
    const prose = ["Server starting…", "listening on stdio", "{not json", "WARN: deprecated"];
    await using session = metered(fixture("puppet"));
    await session.send(call(1, "x", { say: [...prose, '{"jsonrpc":"2.0","id":1,"result":{}}'] }));
    await session.answer(1);
    await session.finish();
    expect(session.stdout.lines.slice(0, prose.length)).toEqual(prose);
    expect(session.records("end")).toMatchObject([{ opaque_server_lines: prose.length }]);
    expect(session.stderr.lines.filter((line) => /\bJSON-RPC\b/.test(line))).toHaveLength(1);
  });

  test("row 5: JSON that is not JSON-RPC passes and is not metered", async () => {
    const strange = [
      '{"level":"info","msg":"up"}',
      "42",
      '"text"',
      "null",
      "[]",
      "[1,2]",
      "{}",
      "[[]]",
    ];
    await using session = metered(fixture("puppet"));
    await session.send(call(1, "x", { say: [...strange, '{"jsonrpc":"2.0","id":1,"result":{}}'] }));
    await session.answer(1);
    await session.finish();
    expect(session.stdout.lines.slice(0, strange.length)).toEqual(strange);
    const metering = [...session.records("call"), ...session.records("protocol")];
    expect(metering).toMatchObject([{ tool: "x", outcome: "ok" }]);
    expect(session.records("fault")).toEqual([]);
  });

  test("row 5: what is strange from the client passes as well", async () => {
    const strange = Buffer.from('{"a":1}\n7\n[]\n[{}]\n{"id":5}\n{"method":5,"id":{}}\nplain\n');
    await using session = metered(["cat"]);
    expect(await roundTrip(session, [strange])).toEqual(strange);
  });
});

test("row 1: bytes through a metered server equal the bytes of the server alone", async () => {
  const say = ["prose", "\ufeff{}", '{"id":1,"result":{"a":"\\u2028"}}\r', ""];
  const outputs: Buffer[] = [];
  for (const start of [bare, metered]) {
    await using session = start(fixture("puppet"));
    await session.send(call(1, "x", { say }), call(2, "y", { before: "tail", after: "" }));
    await session.line("tail");
    await session.finish();
    outputs.push(session.stdout.bytes);
  }
  expect(outputs[1]).toEqual(outputs[0]);
});
