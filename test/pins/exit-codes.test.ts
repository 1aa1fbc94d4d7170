import { expect, test } from "bun:test";
import { exitCodes } from "#kit/errors.ts";

test("exit codes are what scripts rely on", () => {
  expect(exitCodes).toEqual({
    ok: 0,
    failed: 1,
    usage: 2,
    serverUnreachable: 3,
    runFailed: 125,
    notExecutable: 126,
    notFound: 127,
  });
});
