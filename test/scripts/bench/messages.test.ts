import { expect, test } from "bun:test";
import {
  callAnswerLine,
  callLine,
  initializeAnswer,
  initializeLine,
  joinLines,
  linePrefix,
  listAnswer,
  listLine,
  longAnswerLine,
  notificationLine,
  pingBytes,
  pingAnswerLine,
  readPid,
  pingLine,
} from "../../../scripts/bench/messages.ts";

test.each([
  callLine(1),
  callAnswerLine(1),
  initializeLine(0),
  linePrefix + 0 + initializeAnswer(4711),
  listLine(1),
  linePrefix + 1 + listAnswer,
  pingLine(1),
  pingAnswerLine(1),
  notificationLine(100),
  longAnswerLine(1, 200).toString(),
])("is one JSON-RPC line: %s", (line) => {
  expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  expect(line.indexOf("\n")).toBe(line.length - 1);
});

test.each([1, 99_999])("ping %d has the same size", (id) => {
  expect(Buffer.byteLength(pingLine(id))).toBe(pingBytes);
});

test("padded lines have exactly the size that was asked for", () => {
  expect(Buffer.byteLength(notificationLine(60_000))).toBe(60_000);
  expect(longAnswerLine(1, 12_345).length).toBe(12_345);
});

test("the handshake names the server's pid", () => {
  expect(readPid(linePrefix + 0 + initializeAnswer(4711))).toBe(4711);
  expect(readPid("no handshake")).toBeNaN();
});

test("joined lines run from the first id up to the last but one", () => {
  expect(joinLines((id) => `${id}\n`, 1, 4).toString()).toBe("1\n2\n3\n");
});
