import { expect, test } from "bun:test";
import { execa } from "execa";
import { fixture } from "../../../scripts/bench/contestants.ts";
import {
  callAnswerLine,
  callLine,
  longAnswerLine,
  initializedLine,
  initializeLine,
  joinLines,
  linePrefix,
  listAnswer,
  listLine,
  notificationLine,
  readPid,
  pingAnswerLine,
  pingLine,
  readyLine,
} from "../../../scripts/bench/messages.ts";

/** What the fixture server writes when it reads `input` and then the end. */
async function outputOf(command: readonly string[], input: string): Promise<string> {
  const [file = "", ...values] = command;
  const { stdout } = await execa(file, values, { input, stripFinalNewline: false });
  return stdout;
}

test("answering: every request in order, no notification", async () => {
  const input = initializeLine(0) + initializedLine + listLine(1) + callLine(2) + pingLine(3);
  const [handshake = "", ...rest] = (await outputOf(fixture("answering"), input)).split("\n");
  expect(readPid(handshake)).toBeGreaterThan(1);
  expect(rest.join("\n")).toBe(
    `${linePrefix}1${listAnswer}${callAnswerLine(2)}${pingAnswerLine(3)}`,
  );
});

test("answering: more than one buffer of calls", async () => {
  const input = joinLines(callLine, 1, 20_001).toString();
  const expected = joinLines(callAnswerLine, 1, 20_001).toString();
  expect((await outputOf(fixture("answering"), input)) === expected).toBe(true);
});

test("reversing: nothing until all calls are open, then the last one first", async () => {
  const input = callLine(1) + callLine(2) + callLine(3);
  const answers = callAnswerLine(3) + callAnswerLine(2) + callAnswerLine(1);
  expect(await outputOf(fixture("reversing", 3), input)).toBe(readyLine + answers);
  expect(await outputOf(fixture("reversing", 4), input)).toBe(readyLine);
});

test("flooding: the lines that were asked for", async () => {
  const lines = notificationLine(200).repeat(3);
  expect(await outputOf(fixture("flooding", 3, 200), pingLine(1))).toBe(readyLine + lines);
});

test("swallowing: one answer once all bytes are in", async () => {
  const server = fixture("swallowing", 600);
  expect(await outputOf(server, pingLine(1) + pingLine(2))).toBe(readyLine + pingAnswerLine(1));
  expect(await outputOf(server, pingLine(1))).toBe(readyLine);
});

test("bulky: each call's answer in the size that was asked for", async () => {
  const output = await outputOf(fixture("bulky", 1_000), callLine(1) + callLine(2));
  const answers = [1, 2].map((id) => longAnswerLine(id, 1_000).toString());
  expect(output).toBe(answers.join(""));
});

test("long-line: one line of the size that was asked for", async () => {
  const output = await outputOf(fixture("long-line", 100_000), callLine(1));
  expect(output.length).toBe(readyLine.length + 100_000);
  expect(output.split("\n")).toHaveLength(3);
});
