import { expect, test } from "bun:test";
import { ask, canAsk } from "#commands/output/ask.ts";
import { capturedIo } from "../../support/io.ts";

test("nobody can be asked where stderr is no terminal", () => {
  expect(canAsk(capturedIo())).toBe(false);
});

test("a signal in the place of an answer ends the question", async () => {
  const io = capturedIo();
  const asking = ask("Go on?", io);
  io.hear("SIGCONT");
  io.hear("SIGTERM");
  const consent = await asking;
  expect(io.written.stderr).toBe("mcp-meter: Go on? ");
  // The end of stdin may come first where a test runner has none.
  const isExpected = "interrupted" in consent ? "signal" in consent.interrupted : !consent.isYes;
  expect(isExpected).toBe(true);
});
