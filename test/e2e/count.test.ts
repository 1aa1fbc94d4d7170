import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { get_encoding } from "tiktoken";
import { dataFiles, moduleFiles, trackedFiles } from "../tokens/tokenizer/support/files.ts";
import { makeHome, runMeter } from "./run.ts";

setDefaultTimeout(120_000);

const binaryBytesMax = 60_000;

const home = makeHome();

afterAll(() => home.remove());

type CountedFile = { readonly file: string; readonly tokens: number; readonly is_utf8: boolean };

async function countedFiles(tokenizer: string, files: readonly string[]): Promise<CountedFile[]> {
  const args = ["count", "--json", "--tokenizer", tokenizer, ...files];
  const { stdout, status } = await runMeter(home, args);
  expect(status).toBe(0);
  const { inputs }: { inputs: CountedFile[] } = JSON.parse(stdout);
  return inputs;
}

function hardFiles(): string[] {
  const every = Uint8Array.from({ length: 256 }, (_, at) => at);
  const hard: readonly (readonly [name: string, bytes: Uint8Array])[] = [
    ["every-byte.bin", every],
    ["every-byte-backwards.bin", every.toReversed()],
    ["bom.txt", Buffer.from("\ufeffhello\r\n\ufeffworld\r\r\n")],
    ["utf16.txt", Buffer.from("\ufeffhello wörld\n", "utf16le")],
    ["nul.txt", Buffer.from("a\0b\n\0\0c\n1")],
    ["torn.txt", Buffer.from("ends in the middle of é").subarray(0, -1)],
    ["surrogates.txt", Uint8Array.of(0xed, 0xa0, 0x80, 0x0a, 0x61, 0xf0, 0x9f, 0x98)],
    ["special.txt", Buffer.from("<|endoftext|>\n<|im_start|>user")],
    ["lines.txt", Buffer.from("it's\n 12345\n\t}\n\n\nIt'LL\n".repeat(2_000))],
  ];
  return hard.map(([name, bytes]) => {
    const file = join(home.path, name);
    writeFileSync(file, bytes);
    return file;
  });
}

async function binaryFiles(): Promise<string[]> {
  const root = join(import.meta.dir, "../..");
  const folder = join(root, "node_modules");
  const glob = new Bun.Glob("**/*.{png,gif,ico,jpg,wasm,gz,woff2,node,bin}");
  const paths = await Array.fromAsync(glob.scan({ cwd: folder }));
  return paths
    .map((path) => join(folder, path))
    .toSorted()
    .filter((path) => statSync(path).isFile() && statSync(path).size <= binaryBytesMax)
    .slice(0, 20);
}

const samples: readonly (readonly [name: string, files: () => Promise<string[]> | string[]])[] = [
  ["every text file of this repository", trackedFiles],
  ["a sample of the text files of its packages", moduleFiles],
  ["their small binary files", binaryFiles],
  ["every captured server", dataFiles],
  ["hard bytes", hardFiles],
];

for (const tokenizer of ["o200k", "cl100k"] as const) {
  describe(`count --tokenizer ${tokenizer}`, () => {
    const oracle = get_encoding(`${tokenizer}_base`);

    for (const [name, filesOf] of samples) {
      test(`${name}: what tiktoken counts (slow)`, async () => {
        const files = await filesOf();
        if (files.length === 0) return;
        for (const { file, tokens, is_utf8: isText } of await countedFiles(tokenizer, files)) {
          const bytes = readFileSync(file);
          const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
          const expected = { file, tokens: oracle.encode_ordinary(text).length };
          expect({ file, tokens }).toEqual(expected);
          expect({ file, isText }).toEqual({ file, isText: Buffer.from(text).equals(bytes) });
        }
      });
    }

    test("a file of several parts: what its only part would be", async () => {
      const file = join(home.path, "long.txt");
      const paragraph = "The quick brown fox, 12345 times:\n  - jumps\n\nOver\r\n";
      writeFileSync(file, paragraph.repeat(200_000));
      const once = oracle.encode_ordinary(paragraph.repeat(20)).length / 20;
      const [counted] = await countedFiles(tokenizer, [file]);
      expect(counted?.tokens).toBe(once * 200_000);
    });
  });
}

describe("count", () => {
  test("of stdin is the number alone", async () => {
    const args = ["count", "--tokenizer", "o200k"];
    const counted = await runMeter(home, args, { input: "hello world" });
    expect(counted).toEqual({ stdout: "2\n", stderr: "", status: 0 });
    expect((await runMeter(home, [...args, "-"], { input: "hello" })).stdout).toBe("1\n");
    expect((await runMeter(home, args, { input: "" })).stdout).toBe("0\n");
  });

  test("ends with 1 over the limit and with 2 for what it cannot read", async () => {
    const limited = (limit: string) =>
      runMeter(home, ["count", `--max-total=${limit}`], { input: "hello world" });
    expect(await limited("2")).toMatchObject({ status: 0, stderr: "" });
    expect(await limited("1")).toMatchObject({ status: 1, stdout: "2\n" });
    expect(await limited("few")).toMatchObject({ status: 2, stdout: "" });
    expect(await runMeter(home, ["count", "missing.txt"])).toMatchObject({ status: 2, stdout: "" });
    expect(await runMeter(home, ["count", "."])).toMatchObject({ status: 2, stdout: "" });
  });
});
