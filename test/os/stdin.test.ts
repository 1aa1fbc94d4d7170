import { expect, test } from "bun:test";
import { rejectDirectoryAsStdin } from "#os/stdin.ts";

test("a stdin that is not a directory is accepted", () => {
  expect(rejectDirectoryAsStdin).not.toThrow();
});
