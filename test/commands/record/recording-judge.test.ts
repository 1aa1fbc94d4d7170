import { expect, test } from "bun:test";
import { RecordingJudge } from "#commands/record/command.ts";
import { LineSplitter } from "#wire/line.ts";
import { bytesOf } from "../../support/bytes.ts";

function makeLine(message: object) {
  const [line] = new LineSplitter().push(bytesOf(`${JSON.stringify(message)}\n`));
  return line ?? expect.unreachable();
}

const request = makeLine({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t" } });
const answer = makeLine({ jsonrpc: "2.0", id: 1, result: {} });

test("RecordingJudge lets every line pass, and adds answered calls", () => {
  const added: unknown[] = [];
  const judge = new RecordingJudge({ add: (call) => added.push(call) }, () => expect.unreachable());
  expect([judge.judgeLine("client", request), judge.judgeLine("server", answer)]).toEqual([
    true,
    true,
  ]);
  expect(added).toEqual([{ tool: "t" }]);
  expect([judge.holds(), judge.whenRoom(), judge.left, judge.inexact]).toEqual([
    false,
    undefined,
    0,
    0,
  ]);
});

test("RecordingJudge leaves out a call with a number that a calls file cannot hold", () => {
  const judge = new RecordingJudge({ add: () => expect.unreachable() }, () => expect.unreachable());
  const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":9007199254740993}}}`;
  const [line] = new LineSplitter().push(bytesOf(`${text}\n`));
  judge.judgeLine("client", line ?? expect.unreachable());
  judge.judgeLine("server", answer);
  expect([judge.left, judge.inexact]).toEqual([0, 1]);
});

test("RecordingJudge adds calls that still wait at the end", () => {
  const added: unknown[] = [];
  const judge = new RecordingJudge({ add: (call) => added.push(call) }, () => expect.unreachable());
  const later = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "u" } };
  judge.judgeLine("client", request);
  judge.judgeLine("client", makeLine(later));
  judge.judgeLine("server", makeLine({ jsonrpc: "2.0", id: 2, result: {} }));
  expect(added).toEqual([]);
  judge.finish();
  expect(added).toEqual([{ tool: "u" }]);
});

const fail = (): never => {
  throw new TypeError("secret");
};

test("RecordingJudge lets lines pass when recording fails, and says so once, without arguments", () => {
  const said: string[] = [];
  const judge = new RecordingJudge({ add: fail }, (sentence) => said.push(sentence));
  for (let at = 0; at < 3; at += 1) {
    expect(judge.judgeLine("client", request)).toBe(true);
    expect(judge.judgeLine("server", answer)).toBe(true);
  }
  expect(said).toEqual(["Metering failed (TypeError: recording a call); traffic continues"]);
});
