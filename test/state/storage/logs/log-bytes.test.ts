import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { attempt } from "#kit/errors.ts";
import { importReadBytesMax, takeLogBytes } from "#state/storage/logs/read-log.ts";
import { Folder } from "../../../support/folder.ts";
import { eventually } from "../../../support/wait.ts";

async function read(path: string) {
  const chunks: string[] = [];
  const fault = await takeLogBytes(path, (chunk) => chunks.push(Buffer.from(chunk).toString()) > 0);
  return fault === undefined ? chunks.join("") : { fault };
}

const text = "x".repeat(importReadBytesMax) + "end";

describe("a plain file", () => {
  test("is read in chunks", async () => {
    using folder = new Folder();
    const file = folder.file("x.jsonl", text);
    expect(await read(file)).toBe(text);
  });

  test("that was compressed meanwhile is read from there", async () => {
    using folder = new Folder();
    folder.file("x.jsonl.zst", zstdCompressSync(text));
    expect(await read(folder.at("x.jsonl"))).toBe(text);
    expect(await read(folder.at("y.jsonl"))).toEqual({ fault: "ENOENT" });
    expect(await read(folder.at("x"))).toEqual({ fault: "ENOENT" });
  });
});

describe("a compressed file", () => {
  test("is unpacked", async () => {
    using folder = new Folder();
    expect(await read(folder.file("x.zst", zstdCompressSync(text)))).toBe(text);
    expect(await read(folder.at("y.zst"))).toEqual({ fault: "ENOENT" });
  });

  test("that unpacks to far more than its size is a fault", async () => {
    using folder = new Folder();
    const bomb = folder.file("x.zst", zstdCompressSync(Buffer.alloc(80_000_000, "\n")));
    let bytes = 0;
    const fault = await takeLogBytes(bomb, (chunk) => (bytes += chunk.length) > 0);
    expect(fault).toBe("it unpacks to over 100 times its size");
    expect(bytes).toBeLessThan(70_000_000);
  });

  test("that is damaged is a fault, and of one that ends too early the beginning is read", async () => {
    using folder = new Folder();
    expect(await read(folder.file("x.zst", "not compressed"))).toHaveProperty("fault");
    const lines = Array.from({ length: 100_000 }, (_, index) => `${index}\n`).join("");
    const bytes = zstdCompressSync(lines);
    const cut = await read(folder.file("y.zst", bytes.subarray(0, bytes.length - 3)));
    expect(typeof cut === "string" && lines.startsWith(cut)).toBe(true);
  });

  test.if(process.platform === "linux")("is closed, even if not all of it is read", async () => {
    using folder = new Folder();
    const bomb = folder.file("x.zst", zstdCompressSync(Buffer.alloc(80_000_000, "\n")));
    const packed = zstdCompressSync(Buffer.alloc(3_000_000, text));
    const damaged = folder.file("y.zst", packed.with(packed.length - 20, 0));
    const files = [bomb, damaged];
    for (const file of files) {
      await takeLogBytes(file, () => true);
      await takeLogBytes(file, () => false);
    }
    await eventually("all closed", () => !files.some(isOpen));
  });
});

function isOpen(file: string): boolean {
  const descriptors = readdirSync("/proc/self/fd");
  return descriptors.some((fd) => attempt(() => readlinkSync(join("/proc/self/fd", fd))) === file);
}
