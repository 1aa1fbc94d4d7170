import { describe, expect, test } from "bun:test";
import { batchItemsMax } from "#wire/parse-message.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { goldenReader } from "../../support/eras.ts";
import { call } from "../../support/rpc.ts";
import { nestingMax } from "#wire/json.ts";

const limit = 100;
const long = "word ".repeat(limit * 3);
const deep = (inner: string) =>
  `${"[".repeat(nestingMax + 1)}${inner}${"]".repeat(nestingMax + 1)}`;

const content = (text: string): string => JSON.stringify([{ type: "text", text }]);
const result = (text: string): string => `{"content":${content(text)}}`;
const rpc = (members: string): string => `{"jsonrpc":"2.0",${members}}`;

const answers: readonly (readonly [name: string, line: string, isKept?: boolean])[] = [
  ["as it should be", rpc(`"id":1,"result":${result(long)}`)],
  ["with its id as text", rpc(`"id":"1","result":${result(long)}`)],
  ["with its id as another text of that number", rpc(`"id":" 0x1 ","result":${result(long)}`)],
  ["with its id as 1.0", rpc(`"id":1.0,"result":${result(long)}`)],
  ["with its id last", rpc(`"result":${result(long)},"id":1`)],
  ["behind a byte order mark", `\ufeff${rpc(`"id":1,"result":${result(long)}`)}`],
  [
    "behind white space that JSON does not allow",
    `\u00a0\u2003\u2028${rpc(`"id":1,"result":${result(long)}`)}`,
  ],
  ["behind separators that Python strips", `\x1c\x85${rpc(`"id":1,"result":${result(long)}`)}`],
  ["with NaN in it", rpc(`"id":1,"result":{"content":${content(long)},"x":NaN}`)],
  ["with -Infinity in it", rpc(`"id":1,"result":{"content":${content(long)},"x":[-Infinity]}`)],
  ["as an error", rpc(`"id":1,"error":{"code":-1,"message":"${long}"}`)],
  [
    "as an error beside a short result",
    rpc(`"id":1,"result":${result("")},"error":{"code":-1,"message":"${long}"}`),
  ],
  [
    "as a result beside a short error",
    rpc(`"id":1,"error":{"code":-1,"message":""},"result":${result(long)}`),
  ],
  ["too deep to parse", rpc(`"id":1,"result":{"content":${content(long)},"x":${deep("")}}`)],
  [
    "too deep to parse, 600 blanks before its id",
    rpc(`"result":${deep(JSON.stringify(long))},"id":${" ".repeat(600)}1`),
  ],
  [
    "too deep to parse, 600 blanks behind its id",
    rpc(`"id":1${" ".repeat(600)},"result":${deep(JSON.stringify(long))}`),
  ],
  [
    "too deep to parse, 600 blanks before jsonrpc",
    `{${" ".repeat(600)}"jsonrpc"${" ".repeat(600)}:${" ".repeat(600)}"2.0","id":1,"result":${deep(JSON.stringify(long))}}`,
  ],
  [
    "too deep to parse, jsonrpc 40 times",
    `{${'"jsonrpc":"2.0",'.repeat(40)}"id":1,"result":${deep(JSON.stringify(long))}}`,
  ],
  [
    "too deep to parse, 40 other members first",
    `{${Array.from({ length: 40 }, (_, at) => `"x${at}":0,`).join("")}"jsonrpc":"2.0","id":1,"result":${deep(JSON.stringify(long))}}`,
  ],
  [
    "too deep to parse, its members escaped",
    `{"\\u006asonrpc":"2.0","\\u0069d":1,"result":${deep(JSON.stringify(long))}}`,
  ],
  ["too long to keep", rpc(`"id":1,"result":${result(long)}`), false],
  [
    "too long to keep, a byte order mark first",
    `\ufeff${rpc(`"id":1,"result":${result(long)}`)}`,
    false,
  ],
  [
    "with numbers that grow",
    rpc(`"id":1,"result":{"content":[],"structuredContent":[${Array(40).fill("1e20").join(",")}]}`),
  ],
  ["in a batch", `[${rpc(`"id":1,"result":${result(long)}`)}]`],
  [
    "in a batch that is too deep to parse",
    `[${rpc(`"id":1,"result":${deep(JSON.stringify(long))}`)}]`,
  ],
  [
    "behind the last element of a batch that is read",
    `[${"0,".repeat(batchItemsMax)}${rpc(`"id":1,"result":${result(long)}`)}]`,
  ],
  ["as half a message", rpc(`"id":1,"result":${result(long)}`).slice(0, -1)],
  ["with a comma too many", rpc(`"id":1,"result":${result(long)},`)],
  ["with a method", rpc(`"id":1,"method":"x","result":${result(long)}`)],
  ["with an id that is an object", rpc(`"id":{"valueOf":1},"result":${result(long)}`)],
  ["too long to keep, in capitals", `{"ID":1,"RESULT":${result(long)}}`, false],
  ["too long to keep, its id twice", rpc(`"id":2,"id":1,"result":${result(long)}`), false],
  ["too long to keep, in UTF-16", [...rpc(`"id":1,"result":${result(long)}`)].join("\0"), false],
  ["without jsonrpc", `{"id":1,"result":${result(long)}}`],
];

describe("an answer whose id is a text, and another one after it", () => {
  test("the refusal has the id of the request, so no client reads the second one", () => {
    const session = new GatedSession([String(limit)]);
    session.client(call(1, "x"));
    session.serverLine(rpc(`"id":"1","result":${result(long)}`));
    expect(session.toClient.map((line) => JSON.parse(line).id)).toEqual([1]);
  });
});

describe("an answer above the limit never reaches the client,", () => {
  for (const [name, line, isKept] of answers) {
    for (const budget of [`echo=${limit}`, `${limit}/session`, `echo=${limit}/session`]) {
      test(`${name}, under ${budget}`, () => {
        const session = new GatedSession([budget]).client(call(1, "echo")).serverLine(line, isKept);
        expect(session.toClient.join("")).not.toContain("word word");
        expect(session.toClient).not.toContain(line);
      });
    }
  }
});

test.each(["truncate", "spill"])(
  "a long error beside a short result is refused under %s, not dropped: the client would not know of it",
  (action) => {
    const session = new GatedSession([`echo=${limit}:${action}`]).client(call(1, "echo"));
    session.serverLine(
      rpc(`"id":1,"result":{"content":[]},"error":{"code":-1,"message":"${long}"}`),
    );
    expect(session.toClient.join("")).toContain("its answer was withheld");
  },
);

const rejected: readonly (readonly [name: string, line: string])[] = [
  ["a result that is no object", rpc('"id":1,"result":5')],
  ["a member that JSON-RPC does not know", rpc('"id":1,"result":{},"x":1')],
  ["an error without a code", rpc('"id":1,"error":{"message":"no"}')],
  ["an error without a message", rpc('"id":1,"error":{"code":-1}')],
  ["a _meta that is no object", rpc('"id":1,"result":{"_meta":1}')],
  ["a progress token of a wrong type", rpc('"id":1,"result":{"_meta":{"progressToken":{}}}')],
  ["both a result and an error", rpc('"id":1,"result":{},"error":{"code":-1,"message":""}')],
  ["NaN", rpc('"id":1,"result":{"x":NaN}')],
  ["a byte order mark", `\ufeff${rpc('"id":1,"result":{}')}`],
  ["more levels than are parsed", rpc(`"id":1,"result":{"x":${deep("")}}`)],
  ["an id as text", rpc('"id":"1","result":{}')],
  ["a batch", `[${rpc('"id":1,"result":{}')}]`],
];

describe("a message that the client rejects does not use up its request:", () => {
  for (const [name, line] of rejected) {
    for (const budget of ["echo=2k", "2k/session"]) {
      test(`${name}, under ${budget}`, () => {
        const session = new GatedSession([budget]).client(call(1, "echo")).serverLine(line);
        expect(session.toClient).toEqual([line]);
        expect(session.meter.holds("server")).toBe(true);
        const answer = rpc(`"id":1,"result":${result("word ".repeat(2_000))}`);
        session.serverLine(answer).serverLine(answer);
        expect(session.toClient.join("")).not.toContain("word word");
        const calls = session.end().records.filter(({ type }) => type === "call");
        expect(calls).toHaveLength(1);
      });
    }
  }

  test("what it is followed by counts, also within the limit", () => {
    const session = new GatedSession(["200/session"]).client(call(1, "echo"));
    session.serverLine(rpc('"id":1,"result":5'));
    const answer = rpc(`"id":1,"result":${result("word ".repeat(60))}`);
    for (let times = 0; times < 9; times += 1) session.serverLine(answer);
    expect(session.toClient.filter((line) => line === answer)).toHaveLength(1);
  });

  test("an answer that every client accepts ends it: further ones are not forwarded", () => {
    const session = new GatedSession(["echo=2k"]).client(call(1, "echo"));
    const short = rpc(`"id":1,"result":${result("short")}`);
    session.serverLine(short).serverLine(short);
    expect(session.toClient).toEqual([short]);
  });
});

describe("a line that cannot be read is charged by its length while an answer is awaited,", () => {
  const torn = `{"jsonrpc":"2.0","id":1,"result":${"x".repeat(50)}`;

  test("as often as it comes, until there is no room", () => {
    const session = new GatedSession(["1k/session"]).client(call(1, "echo"));
    for (let times = 0; times < 20; times += 1) session.serverLine(torn);
    const passed = session.toClient.filter((line) => line === torn).length;
    expect(passed).toBeGreaterThan(0);
    expect((passed + 1) * (torn.length + 1) * 2).toBeGreaterThan(1_000);
    expect(passed * torn.length).toBeLessThanOrEqual(1_000);
  });

  test("per call too, and the answer has the rest", () => {
    const session = new GatedSession(["echo=300"]).client(call(1, "echo")).serverLine(torn);
    expect(session.toClient).toEqual([torn]);
    session.serverLine(rpc(`"id":1,"result":${result("word ".repeat(100))}`));
    expect(session.toClient.at(-1)).toContain("withheld");
  });

  test("and stays charged when its call is refused or cancelled", () => {
    const session = new GatedSession(["1k/session"]);
    const answer = rpc(`"id":1,"result":${result("word ".repeat(2_000))}`);
    for (let times = 0; times < 20; times += 1) {
      session.client(call(1, "echo")).serverLine(torn).serverLine(answer);
    }
    expect(session.toClient.filter((line) => line === torn).length * torn.length).toBeLessThan(
      1_000,
    );
  });

  test("and is free when no answer is awaited, or when it is prose", () => {
    const session = new GatedSession(["echo=1"]).serverLine(torn);
    session.client(call(1, "other")).serverLine(torn);
    expect(session.toClient).toEqual([torn, torn]);
    const other = new GatedSession(["echo=20"]).client(call(1, "echo"));
    for (const line of [
      "Listening on port 8080 for connections",
      '{"level":"info","message":"a line of a log"}',
    ]) {
      other.serverLine(line);
    }
    expect(other.toClient).toHaveLength(2);
  });
});

describe("requests", () => {
  const padded = `{"jsonrpc":"2.0","id":${" ".repeat(600)}7,"method":"tools/call","params":{"arguments":{"x":${deep("")}},"name":"echo"}}`;

  test("that cannot be read are charged to the counter of their tool", () => {
    for (const isKept of [true, false]) {
      const session = new GatedSession(["echo=2calls/session"]).client(call(1, "echo"));
      session.clientLine(padded, isKept).clientLine(padded, isKept).client(call(9, "echo"));
      expect(session.toServer).toHaveLength(2);
      expect(session.toClient).toHaveLength(2);
      expect(session.toClient[0]).toContain('"id":7,');
    }
  });

  test("without a name that can be read are charged to every tool that has a budget", () => {
    const nameless = padded.replace('"name":"echo"', '"name":7');
    const session = new GatedSession(["echo=1calls/session"]).clientLine(nameless);
    session.client(call(9, "echo"));
    expect(session.toServer).toHaveLength(1);
  });

  test("for the result of a task belong to its call, also when they cannot be read", () => {
    const text = "word ".repeat(36);
    const task = { taskId: "t", status: "working", createdAt: "2026-01-01T00:00:00Z" };
    const asked = `"method":"tasks/result","params":{"taskId":"t","deep":${deep("")}}`;
    for (const isKept of [true, false]) {
      // The call and its result cost 60 tokens and more, each of them.
      const session = new GatedSession([`echo=${limit}`]).client(call(1, "echo", { text }));
      session.server({ jsonrpc: "2.0", id: 1, result: { task } });
      session
        .clientLine(rpc(`"id":2,${asked}`), isKept)
        .serverLine(rpc(`"id":2,"result":${result(text)}`));
      expect(session.toServer).toHaveLength(2);
      expect(session.toClient.at(-1)).toContain("mcp-meter: ");
    }
  });

  test("are paid with a result that is delivered after one that was withheld", () => {
    const text = "word ".repeat(36);
    const task = { taskId: "t", status: "working", createdAt: "2026-01-01T00:00:00Z" };
    const session = new GatedSession(["echo=150/session"]).client(call(1, "echo", { text }));
    session.server({ jsonrpc: "2.0", id: 1, result: { task } });
    const poll = (id: number, answer: string): void => {
      session.clientLine(rpc(`"id":${id},"method":"tasks/result","params":{"taskId":"t"}`));
      session.serverLine(rpc(`"id":${id},"result":${result(answer)}`));
    };
    poll(2, long);
    expect(session.toClient.at(-1)).toContain("its answer was withheld");
    poll(3, text);
    expect(session.toClient.at(-1)).toContain(text);
    // 65 tokens of the request and 60 of its result are spent.
    session.client(call(4, "echo", { text: "word ".repeat(12) }));
    expect(session.toClient.at(-1)).toContain("was not run");
  });

  test("are refused with the id they have, however long it is", () => {
    const id = JSON.stringify("i".repeat(5_000));
    for (const isKept of [true, false]) {
      const session = new GatedSession(["echo=1"]);
      const request = `\ufeff{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo"}}`;
      session.clientLine(request, isKept);
      expect(session.toServer).toEqual([]);
      expect(session.toClient[0]).toContain(`"id":${id},`);
    }
  });
});

const unasked = (id: number) => rpc(`"id":${id},"result":${result("word ".repeat(9))}`);

describe("an answer that no open request asked for is not forwarded,", () => {
  for (const budget of ["echo=5k", "9calls/minute:throttle", "echo=5k/session:truncate"]) {
    test(`before its request and after it, under ${budget}`, () => {
      const session = new GatedSession([budget]).serverLine(unasked(1)).client(call(1, "echo"));
      expect(session.toClient).toEqual([]);
      session.serverLine(unasked(1)).serverLine(unasked(1));
      expect(session.toClient).toHaveLength(1);
    });
  }

  test("while its request is held", () => {
    const session = new GatedSession(["1calls/minute:throttle"]);
    // Five seconds before the counter refills, which is soon enough to wait for.
    session.nowMs = 55_000;
    session
      .client(call(1, "echo"))
      .serverLine(unasked(1))
      .client(call(2, "echo"))
      .serverLine(unasked(2));
    expect(session.toClient).toEqual([unasked(1)]);
  });

  test("and when its request was refused", () => {
    const session = new GatedSession(["1calls/session"]).client(call(1, "echo"), call(2, "echo"));
    session.serverLine(unasked(2)).serverLine(unasked(1));
    expect(session.toClient.filter((line) => line === unasked(2))).toEqual([]);
    expect(session.toClient).toContain(unasked(1));
  });

  test("but it is where nothing is refused or withheld", () => {
    const session = new GatedSession(["echo=5k:warn"]).serverLine(unasked(1));
    expect(session.toClient).toEqual([unasked(1)]);
  });

  test("and an error without an id is no answer", () => {
    const error = rpc('"id":null,"error":{"code":-32700,"message":"no"}');
    expect(new GatedSession(["echo=5k"]).serverLine(error).toClient).toEqual([error]);
  });
});

const hidden: readonly (readonly [name: string, line: string, isAnswered: boolean])[] = [
  [
    "Name beside name",
    rpc('"id":1,"method":"tools/call","params":{"name":"x","Name":"echo"}'),
    true,
  ],
  ["name twice", rpc('"id":1,"method":"tools/call","params":{"name":"echo","name":"x"}'), true],
  ["params in a list", rpc('"id":1,"method":"tools/call","params":["echo"]'), true],
  ["its id twice", rpc('"id":1,"id":1,"method":"tools/call","params":{"name":"x"}'), false],
  ["a batch", `[${rpc('"id":1,"method":"tools/call","params":{"name":"echo"}')}]`, false],
  ["UTF-16", [...rpc('"id":1,"method":"tools/call","params":{"name":"echo"}')].join("\0"), false],
];

describe("a call in a line that is too long to keep does not reach the server:", () => {
  test.each(hidden)("%s", (_name, line, isAnswered) => {
    const session = new GatedSession(["echo=0"]).clientLine(line, false);
    expect(session.toServer).toEqual([]);
    expect(session.toClient.map((answer) => JSON.parse(answer).id)).toEqual(isAnswered ? [1] : []);
    expect(session.end().records.filter(({ type }) => type === "breach")).toHaveLength(1);
  });

  test("one that is a valid message does", () => {
    const session = new GatedSession(["echo=0"]).clientLine(JSON.stringify(call(1, "x")), false);
    expect(session.toServer).toHaveLength(1);
  });
});

test("an answer that was not read costs as much as a client's error about what may be in it", () => {
  const readerFor = goldenReader("o200k");
  const session = new GatedSession(["*=2000"], { readerFor }).client(call(1, "x"));
  session.serverLine(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"content":[{},{},{},{},{}]}}`);
  expect(session.toClient.join("")).toContain("was withheld");
});

test("a clock that is set back keeps no call longer than a call may wait", () => {
  const session = new GatedSession(["1calls/minute:throttle"]).client(call(1, "echo"));
  session.nowMs = 20_000;
  session.client(call(2, "echo"));
  expect(session.toServer).toHaveLength(1);
  session.nowMs = 60_000;
  session.shiftMs = -1_800_000;
  session.wake();
  expect(session.toClient.join("")).toContain("was not run");
  expect(session.meter.wakeAtMs).toBeUndefined();
});
