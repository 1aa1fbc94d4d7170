import { expect, test } from "bun:test";
import { ask, canAsk, answerCharactersMax } from "#commands/output/ask.ts";
import type { ChunkReader } from "#kit/os/child.ts";
import { bytesOf } from "../../support/bytes.ts";
import { capturedIo } from "../../support/io.ts";

test("nobody can be asked if stderr is not a terminal", () => {
  expect(canAsk(capturedIo())).toBe(false);
});

function typed(...chunks: readonly (string | null)[]): ChunkReader {
  const rest = [...chunks];
  return {
    read: async () => {
      const next = rest.shift();
      if (next === null) return new Promise(() => undefined);
      return next === undefined ? {} : { value: bytesOf(next) };
    },
    cancel: async () => undefined,
  };
}

test.each<[boolean, ...string[]]>([
  [true, "y\n"],
  [true, "Y", "ES\r\n", "n\n"],
  [true, "y"],
  [false, "n\n"],
  [false, "\n"],
  [false, ""],
  [false, "yes please\n"],
  [false, "no\ny\n"],
  // The rest of a longer answer is not read.
  [true, `y${" ".repeat(answerCharactersMax - 1)}`, "es\n"],
  [false, `y${" ".repeat(answerCharactersMax - 2)}`, "es\n"],
])("%# the answer is %p", async (isYes, ...chunks) => {
  const io = capturedIo();
  expect(await ask("Go on?", io, () => typed(...chunks))).toEqual({ isYes });
  expect(io.written.stderr).toBe("mcp-meter: Go on? ");
});

test("a signal instead of an answer ends the question", async () => {
  const io = capturedIo();
  const asking = ask("Go on?", io, () => typed(null));
  io.hear("SIGCONT");
  io.hear("SIGTERM");
  expect(await asking).toEqual({ interrupted: { signal: "SIGTERM" } });
});
