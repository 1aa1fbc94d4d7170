import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { HeadGatherer } from "#http1/head-gatherer.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../support/bytes.ts";

const bytesMax = 64 * 1024;

describe("HeadGatherer", () => {
  test.each([
    ["HTTP/1.1 200 OK\r\nA: b\r\n\r\n", "rest"],
    ["HTTP/1.1 200 OK\nA: b\n\n", "\n\nrest"],
    ["HTTP/1.0 200 OK\r\nA: b\n\r\n", ""],
    ["HTTP/1.1 204 \r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"],
  ])("%j ends at its empty line, however it is cut", (head, rest) => {
    fc.assert(
      fc.property(anyCuts, (cuts) => {
        const gatherer = new HeadGatherer(bytesMax);
        const chunks = chunksOf(bytesOf(head + rest), cuts);
        for (const [at, chunk] of chunks.entries()) {
          const found = gatherer.push(chunk);
          if (!found) continue;
          expect(textOf(found.head)).toBe(head);
          expect(textOf(Buffer.concat([found.rest, ...chunks.slice(at + 1)]))).toBe(rest);
          return;
        }
        expect.unreachable();
      }),
    );
  });

  test("the longest head is read, also byte by byte; a longer one is not, with or without its end", () => {
    const longest = `HTTP/1.1 200 OK\r\nA: ${"b".repeat(bytesMax - 24)}\r\n\r\n`;
    const gatherer = new HeadGatherer(bytesMax);
    const bytes = bytesOf(longest);
    for (let at = 0; at < bytes.length - 1; at += 1) gatherer.push(bytes.subarray(at, at + 1));
    expect(gatherer.push(bytes.subarray(-1))?.head).toHaveLength(bytesMax);
    const longer = longest.replace("A: ", "A:  ");
    for (const text of [longer, `${longer.slice(0, -2)}xx`])
      expect(() => new HeadGatherer(bytesMax).push(bytesOf(text))).toThrow("HPE_HEADER_OVERFLOW");
  });
});
