// Every oracle accepts a good session and rejects made-up bad ones.
import { describe, expect, test } from "bun:test";
import { definition } from "../../../scripts/fuzz/acts/tools.ts";
import { violationsIn } from "../../../scripts/fuzz/oracles/index.ts";
import type { Transcript } from "../../../scripts/fuzz/transcript.ts";
import {
  madeAnswer,
  madeCall,
  madeRecords,
  madeSummary,
  madeTranscript,
  type Said,
} from "./made-transcript.ts";

/** `oracle: detail` of every violation. */
function found(...transcripts: readonly Transcript[]): string[] {
  return violationsIn(transcripts).map(({ oracle, detail }) => `${oracle}: ${detail}`);
}

/** A session of one call, which kept every promise, with changes. */
function oneCall(changes: Parameters<typeof madeTranscript>[1] = {}, length = 30): Transcript {
  const sums = { records: madeRecords([20]), summary: madeSummary(1, 20) };
  return madeTranscript([madeCall(1), madeAnswer(1, length)], { ...sums, ...changes });
}

const bytes = (...said: readonly Said[]): Buffer =>
  Buffer.from(said.map(([, line]) => `${line}\n`).join(""));

const refusal = (id: number, text: string): Said => {
  const result = { content: [{ type: "text", text: `mcp-meter: alpha ${text}` }], isError: true };
  return ["server", JSON.stringify({ jsonrpc: "2.0", id, result })];
};

/** The violations when the client got that line in place of the answer. */
function annotated(text: string): string {
  return found(oneCall({ set: "annotate", clientGot: Buffer.from(`${text}\n`) })).join();
}

const sync = (number: number): Said => [
  "client",
  `{"jsonrpc":"2.0","method":"sync","params":[${number}]}`,
];

/** A list of one tool. */
function listed(description: string): Said {
  const tools = [{ ...definition("alpha"), description }];
  return ["server", JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools } })];
}

test("a session that keeps every promise has no violation", () => {
  expect(found(madeTranscript([]), oneCall(), oneCall({ set: "call" }))).toEqual([]);
});

describe("upward is red when", () => {
  test("a byte of the client changed", () => {
    const serverGot = bytes(madeCall(2));
    expect(found(oneCall({ serverGot })).join()).toStartWith("upward: byte ");
  });

  test("a line is missing without a refusal, under a budget", () => {
    const changes = { set: "call", serverGot: Buffer.alloc(0), clientGot: Buffer.alloc(0) };
    const seen = found(oneCall({ ...changes, serverSent: Buffer.alloc(0) }));
    expect(seen.join()).toContain("upward: neither forwarded nor refused");
  });

  test("a refusal has another id than the request, or none is due", () => {
    const clientGot = bytes(refusal(2, "was not run. Its budget is used up."));
    const refused = {
      set: "call",
      serverGot: Buffer.alloc(0),
      serverSent: Buffer.alloc(0),
      clientGot,
    };
    const exit = { code: 1, signal: null };
    expect(found(oneCall({ ...refused, exit }))).toEqual([
      expect.stringContaining("upward: neither forwarded nor refused"),
      "upward: refused, though no such request is missing: id 2",
    ]);
    const right = bytes(refusal(1, "was not run. Its budget is used up."));
    expect(found(oneCall({ ...refused, exit, clientGot: right }))).toEqual([]);
  });

  test("a line that no budget concerns is missing", () => {
    const ping: Said = ["client", '{"jsonrpc":"2.0","id":1,"method":"ping"}'];
    const seen = found(madeTranscript([ping], { set: "call", serverGot: Buffer.alloc(0) }));
    expect(seen.join()).toStartWith("upward: sent ");
  });

  test("delayed calls arrive later: of a batch each as a line of its own", () => {
    const batch: Said = ["client", `[${madeCall(1)[1]} , ${madeCall(2)[1]}]`];
    const said = [batch, sync(1), madeCall(3), sync(2)];
    const delayed = [sync(1), madeCall(1), madeCall(2), madeCall(3), sync(2)];
    const upward = (set: string, serverGot: readonly Said[]): string[] =>
      found(madeTranscript(said, { set, serverGot: bytes(...serverGot) })).filter((one) =>
        one.startsWith("upward"),
      );
    expect(upward("throttle", delayed)).toEqual([]);
    expect(upward("call", delayed)).not.toEqual([]);
    expect(upward("throttle", [sync(2), ...delayed.slice(0, 4)])).not.toEqual([]);
    expect(upward("throttle", [...delayed, madeCall(4)])).not.toEqual([]);
  });

  test("a line arrives that was not sent", () => {
    const serverGot = Buffer.concat([bytes(madeCall(1)), bytes(madeCall(3))]);
    const seen = found(oneCall({ set: "call", serverGot }));
    expect(seen.join()).toStartWith("upward: arrived out of order or unsent");
  });
});

describe("downward is red when", () => {
  test("a byte of the server changed", () => {
    expect(found(oneCall({ clientGot: bytes(madeAnswer(1, 31)) })).join()).toContain(
      "downward: line 1",
    );
  });

  test("a line never arrived", () => {
    const seen = found(oneCall({ clientGot: Buffer.alloc(0) }));
    expect(seen.join()).toContain("downward: never arrived");
  });

  test("an unreadable line is missing without a budget", () => {
    const said: readonly Said[] = [
      madeCall(1),
      ["server", '{"id":1,"result":{}}'],
      madeAnswer(1, 30),
    ];
    const sums = { records: madeRecords([20]), summary: madeSummary(1, 20) };
    const clientGot = bytes(madeAnswer(1, 30));
    expect(found(madeTranscript(said, { ...sums, clientGot })).join()).toContain(
      "downward: line 1",
    );
    expect(found(madeTranscript(said, { ...sums, clientGot, set: "call" }))).toEqual([]);
  });

  test("an answer was replaced without a budget, or under the id of another", () => {
    const exit = { code: 1, signal: null };
    const text = "ran, but its answer was withheld: the call is 900 tokens";
    const withheld = (set: string, id: number): string =>
      found(oneCall({ set, exit, clientGot: bytes(refusal(id, text)) })).join();
    expect(withheld("plain", 1)).toContain("downward: line 1");
    expect(withheld("call", 2)).toContain("downward: line 1");
    expect(withheld("call", 1)).toBe("");
  });

  test("an annotated line differs elsewhere", () => {
    const usage = '"_meta":{"dev.mcp-meter/usage":{"tokens":1}}';
    const [, line] = madeAnswer(1, 30);
    expect(annotated(line.replace(/\}\}$/, `,${usage}}}`))).toBe("");
    expect(annotated(line.replace(/\}\}$/, `, ${usage} }}`).replace("xxx", "yyy"))).toContain(
      "downward: line 1",
    );
  });
});

describe("ceiling is red when", () => {
  test("one answer exceeds a budget per call", () => {
    expect(found(oneCall({ set: "call" }, 3_000))).toEqual([
      "ceiling: 400/call:error delivered 1003 tokens (call 1 all)",
    ]);
  });

  test("an answer hides behind an id of another type", () => {
    const said = [madeCall(1), madeAnswer("1", 3_000)];
    const sums = { records: madeRecords([20]), summary: madeSummary(1, 20) };
    expect(found(madeTranscript(said, { set: "call", ...sums })).join()).toContain("ceiling");
  });

  test("several answers together exceed a session's budget, and calls their number", () => {
    const said = [1, 2, 3, 4, 5, 6].flatMap((id) => [madeCall(id), madeAnswer(id, 1_200)]);
    const sums = { records: madeRecords([1, 1, 1, 1, 1, 1]), summary: madeSummary(6, 6) };
    expect(found(madeTranscript(said, { set: "session", ...sums })).join()).toContain(
      "ceiling: 2000/session:error delivered 2418 tokens (all)",
    );
    expect(found(madeTranscript(said, { set: "calls", ...sums }))).toEqual([
      "ceiling: *=5calls/session:error delivered 6 calls (alpha)",
    ]);
  });

  test("sessions together exceed a budget per day, unless the day changed", () => {
    const session = oneCall({ set: "day" }, 6_000);
    expect(found(session)).toEqual([]);
    expect(found(session, session)).toEqual([
      "ceiling: 3000/day:error delivered 4006 tokens (all)",
    ]);
    expect(found(session, { ...session, endedDay: "2026-01-02" })).toEqual([]);
  });
});

describe("records is red when", () => {
  const cases: readonly (readonly [string, string | undefined, string])[] = [
    ["there are none", undefined, "no records of 1 calls"],
    ["one is torn", madeRecords([20]).slice(0, -1), "not whole"],
    ["one is not JSON", madeRecords([20]).replace('{"type":"call"', '{"type":call'), "not JSON"],
    ["one is missing", madeRecords([20]).replace('"seq":1', '"seq":2'), "seq 2"],
    ["a call has none", madeRecords([]), "0 call records of 1 calls"],
    ["a call has two", madeRecords([20, 0]), "2 call records of 1 calls"],
    ["the meter failed", madeRecords([20], { observer_faults: 1 }), "end.observer_faults is 1"],
    ["records were dropped", madeRecords([20], { dropped_records: 2 }), "end.dropped_records is 2"],
    ["there is a fault", madeRecords([20]).replace('"call"', '"fault"'), "fault: "],
    ["the end is missing", madeRecords([20]).replace('"end"', '"call"'), "last record is call"],
  ];
  for (const [title, records, expected] of cases) {
    test(title, () => {
      expect(found(oneCall({ records })).join()).toContain(`records: `);
      expect(found(oneCall({ records })).join()).toContain(expected);
    });
  }

  test("a file is empty, unless the user named it and there was no call", () => {
    expect(found(oneCall({ records: "" })).join()).toContain("not whole");
    const named = { set: "log-file", records: "", files: ["calls.ndjson"] };
    expect(found(oneCall(named)).join()).toContain("no records of 1 calls");
    expect(found(madeTranscript([], named))).toEqual([]);
  });

  test("there are some despite --log off", () => {
    expect(found(oneCall({ set: "log-off" })).join()).toContain("despite --log off");
  });
});

test("sums is red when records, end and summary disagree", () => {
  expect(found(oneCall({ records: madeRecords([20], { total_tokens: 21 }) }))).toEqual([
    "sums: end.total_tokens is 21, the call records have 20",
  ]);
  expect(found(oneCall({ summary: madeSummary(2, 20) })).join()).toContain(
    "sums: summary.total.calls is 2, the call records have 1",
  );
  expect(found(oneCall({ summary: undefined })).join()).toContain(
    "summary.total.calls is undefined",
  );
});

describe("ending is red when", () => {
  test("the session hangs, or a process is left", () => {
    expect(found(oneCall({ stalled: "the exit" }))).toEqual([
      "ending: hung while it waited for the exit",
    ]);
    expect(found(oneCall({ leftovers: ["the server"] }))).toEqual([
      "ending: the server is still running",
    ]);
  });

  test("the exit code is not the server's", () => {
    expect(found(oneCall({ exit: { code: 1, signal: null } }))).toEqual([
      "ending: exit 1, expected 0",
    ]);
    expect(found(oneCall({ ending: { kind: "eof", code: 3 } }))).toEqual([
      "ending: exit 0, expected 3",
    ]);
    const crash = { kind: "crash", signal: "SIGABRT" } as const;
    expect(found(oneCall({ ending: crash }))).toEqual(["ending: exit 0, expected SIGABRT"]);
  });

  test("an enforced budget does not show in the exit code", () => {
    const text = "ran, but its answer was withheld: the call is 900 tokens";
    const clientGot = bytes(refusal(1, text));
    expect(found(oneCall({ set: "call", clientGot }))).toEqual(["ending: exit 0, expected 1"]);
  });

  test("the server was not told that the client has closed", () => {
    expect(found(oneCall({ didServerEnd: false }))).toEqual([
      "ending: the server was not told of the end",
    ]);
  });
});

test("stderr is red for a line that no session prints", () => {
  expect(found(oneCall({ stderr: "panic: x\n" }))).toEqual([
    'stderr: unexpected on stderr: "panic: x"',
  ]);
  const known =
    "mcp-meter: The server writes lines to stdout that are not JSON-RPC; clients may reject them\n";
  expect(found(oneCall({ stderr: known }))).toEqual([]);
});

test("files is red for a file that is not documented", () => {
  expect(found(oneCall({ files: ["home/.bash_history"] }))).toEqual([
    "files: unexpected file home/.bash_history",
  ]);
  expect(found(oneCall({ files: ["state/mcp-meter/spills/a.json"] }))).not.toEqual([]);
  expect(found(oneCall({ set: "spill", files: ["state/mcp-meter/spills/a.json"] }))).toEqual([]);
});

test("locked is red when a call of a changed tool arrives", () => {
  const list: Said = ["client", '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'];
  const sums = { records: madeRecords([20]), summary: madeSummary(1, 20) };
  const session = (description: string): Transcript =>
    madeTranscript([list, listed(description), madeCall(2)], { set: "lock", ...sums });
  expect(found(session("changed"))).toEqual([
    "locked: a call of alpha arrived, which differs from the lock",
  ]);
  expect(found(session(definition("alpha").description))).toEqual([]);
});
