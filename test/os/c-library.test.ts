import { expect, test } from "bun:test";
import { addressOf, loadC } from "#os/c-library.ts";

test("loadC throws where there is no such library", () => {
  expect(() => loadC("libno-such-library.so.6")).toThrow();
});

test.skipIf(process.platform !== "linux")(
  "functions fail with -1, and addresses are those of the bytes",
  () => {
    const c = loadC();
    const bytes = new TextEncoder().encode("/no/such/file\0");
    expect(c.open(addressOf(bytes), 0, 0)).toBe(-1);
    expect(c.close(-1)).toBe(-1);
    expect(addressOf(bytes.subarray(3))).toBe(addressOf(bytes) + 3);
    const ends = new Int32Array(2);
    expect(c.pipe2(addressOf(ends), 0)).toBe(0);
    const [readEnd = -1, writeEnd = -1] = ends;
    expect(c.write(writeEnd, addressOf(bytes), bytes.length)).toBe(bytes.length);
    const copy = new Uint8Array(bytes.length);
    expect(c.read(readEnd, addressOf(copy), 100)).toBe(bytes.length);
    expect(copy).toEqual(bytes);
    expect([c.close(readEnd), c.close(writeEnd)]).toEqual([0, 0]);
  },
);
