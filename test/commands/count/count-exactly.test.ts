import { expect, test } from "bun:test";
import { countExactly, exactTextBytesMax } from "#commands/count/command.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";

const counts = {
  countText: async (text: string) => text.length,
  countList: async (tools: readonly object[]) => tools.length * 1000,
};

test("a text is counted as a message, a list of tools as definitions", async () => {
  using folder = new Folder();
  const text = folder.file("a.txt", "hello");
  expect(await countExactly(text, counts)).toEqual({
    file: text,
    tokens: 5,
    bytes: 5,
    is_utf8: true,
    is_definitions: false,
  });
  const list = folder.file("tools.json", '{"tools":[{"name":"a","inputSchema":{}}]}');
  expect(await countExactly(list, counts)).toMatchObject({ tokens: 1000, is_definitions: true });
  const binary = folder.file("b.bin", Uint8Array.of(0x68, 0xff));
  expect(await countExactly(binary, counts)).toMatchObject({ tokens: 2, is_utf8: false });
});

test("a file of the longest length is sent, a longer one is not", async () => {
  using folder = new Folder();
  const longest = folder.file("longest", new Uint8Array(exactTextBytesMax).fill(0x61));
  expect((await countExactly(longest, counts)).tokens).toBe(exactTextBytesMax);
  const longer = folder.file("longer", new Uint8Array(exactTextBytesMax + 1).fill(0x61));
  expect(await rejectionOf(countExactly(longer, counts))).toContain("is too large for --exact");
});
