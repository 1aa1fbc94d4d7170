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
  const recording = new RecordingJudge({ add: (call) => added.push(call) }, () =>
    expect.unreachable(),
  );
  expect([
    recording.judge.judgeLine("client", request, false),
    recording.judge.judgeLine("server", answer, false),
  ]).toEqual([true, true]);
  expect(added).toEqual([{ tool: "t" }]);
  expect([
    recording.judge.holds("client"),
    recording.judge.whenCaughtUp(),
    recording.leftOutCalls,
    recording.inexactCalls,
  ]).toEqual([false, undefined, 0, 0]);
});

test("RecordingJudge leaves out a call with a number that a calls file cannot hold", () => {
  const recording = new RecordingJudge({ add: () => expect.unreachable() }, () =>
    expect.unreachable(),
  );
  const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"n":9007199254740993}}}`;
  const [line] = new LineSplitter().push(bytesOf(`${text}\n`));
  recording.judge.judgeLine("client", line ?? expect.unreachable(), false);
  recording.judge.judgeLine("server", answer, false);
  expect([recording.leftOutCalls, recording.inexactCalls]).toEqual([0, 1]);
});

test("RecordingJudge adds calls that still wait at the end", () => {
  const added: unknown[] = [];
  const recording = new RecordingJudge({ add: (call) => added.push(call) }, () =>
    expect.unreachable(),
  );
  const later = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "u" } };
  recording.judge.judgeLine("client", request, false);
  recording.judge.judgeLine("client", makeLine(later), false);
  recording.judge.judgeLine("server", makeLine({ jsonrpc: "2.0", id: 2, result: {} }), false);
  expect(added).toEqual([]);
  recording.finish();
  expect(added).toEqual([{ tool: "u" }]);
});

const fail = (): never => {
  throw new TypeError("secret");
};

test("RecordingJudge lets lines pass when recording fails, and says so once, without arguments", () => {
  const said: string[] = [];
  const recording = new RecordingJudge({ add: fail }, (sentence) => said.push(sentence));
  for (let at = 0; at < 3; at += 1) {
    expect(recording.judge.judgeLine("client", request, false)).toBe(true);
    expect(recording.judge.judgeLine("server", answer, false)).toBe(true);
  }
  expect(said).toEqual([
    "Recording a call failed (TypeError); traffic continues, but no more calls are recorded",
  ]);
});
