import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { inputBytes } from "#os/input-bytes.ts";
import { scratch } from "../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());

async function read(file: string): Promise<string> {
  return Buffer.concat(await Array.fromAsync(inputBytes(file))).toString();
}

test("a file is all its bytes", async () => {
  const text = "line\n".repeat(500_000);
  expect(await read(folder.write("long.txt", text))).toBe(text);
  expect(await read(folder.write("empty.txt", ""))).toBe("");
});

test("what cannot be read is told with its name and the reason", async () => {
  const missing = join(folder.path, "missing");
  expect(await read(missing).catch(String)).toContain(
    `Cannot read "${missing}": no such file or directory`,
  );
  expect(await read(join(folder.path, ".")).catch(String)).toContain(": it is a directory");
});
