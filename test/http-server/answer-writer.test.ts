import { describe, expect, test } from "bun:test";
import { writeAnswer } from "#http-server/answer-writer.ts";
import type { ClientAnswer, StreamedBody } from "#http-server/client-request.ts";
import { bytesOf, concat, textOf } from "../support/bytes.ts";

/** A body of these pieces, then its end, or an error; `log` has what happens to it. */
class Pieces implements StreamedBody {
  readonly log: string[] = [];
  readonly #pieces: string[];
  readonly #breaks: boolean;

  constructor(pieces: readonly string[], breaks = false) {
    this.#pieces = [...pieces];
    this.#breaks = breaks;
  }

  readonly read = async () => {
    const piece = this.#pieces.shift();
    if (piece !== undefined) return { done: false, value: bytesOf(piece) };
    if (this.#breaks) throw new Error("broken off");
    return { done: true };
  };

  readonly written = (piece: Uint8Array): undefined => {
    this.log.push(`written ${textOf(piece)}`);
  };

  readonly sent = (piece: Uint8Array) => void this.log.push(`sent ${textOf(piece)}`);

  readonly left = () => void this.log.push("left");
}

/** Keeps all bytes; the room that it grants is up to the test. */
class FakeOutlet {
  readonly #bytes: Uint8Array[] = [];
  isFull = false;
  hasClosed = false;
  #waiting: (() => void)[] = [];

  readonly write = (bytes: readonly Uint8Array[]): Promise<void> | undefined => {
    this.#bytes.push(...bytes);
    return this.isFull ? new Promise((resolve) => void this.#waiting.push(resolve)) : undefined;
  };

  readonly isClosed = () => this.hasClosed;

  drain(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  /** All bytes behind the head. */
  get body(): string {
    return textOf(concat(this.#bytes)).split("\r\n\r\n").slice(1).join("\r\n\r\n");
  }
}

const get = { method: "GET", minorVersion: 1, persists: true };
const answerOf = (body: ClientAnswer["body"], length?: number): ClientAnswer => ({
  status: 200,
  headers: new Headers(length === undefined ? {} : { "content-length": String(length) }),
  body,
});

describe("writeAnswer", () => {
  test.each([
    ["bytes", answerOf(bytesOf("abc")), get, "whole", "abc"],
    ["no body", answerOf(undefined), get, "whole", ""],
    [
      "chunks, none of which is empty",
      answerOf(new Pieces(["ab", "", "c"])),
      get,
      "whole",
      "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
    ],
    ["a known length", answerOf(new Pieces(["ab", "c"]), 3), get, "whole", "abc"],
    ["a last exchange", answerOf(bytesOf("abc")), { ...get, persists: false }, "ends", "abc"],
    [
      "HTTP/1.0, which knows no chunks",
      answerOf(new Pieces(["abc"])),
      { ...get, minorVersion: 0 },
      "ends",
      "abc",
    ],
    [
      "chunks that break off have no last one",
      answerOf(new Pieces(["ab"], true)),
      get,
      "broken",
      "2\r\nab\r\n",
    ],
    ["fewer bytes than announced", answerOf(new Pieces(["ab"]), 3), get, "broken", "ab"],
    [
      "more bytes than announced are not sent",
      answerOf(new Pieces(["ab", "cd"]), 3),
      get,
      "broken",
      "ab",
    ],
    [
      "a body whose end nothing else tells, broken off",
      answerOf(new Pieces(["ab"], true)),
      { ...get, minorVersion: 0 },
      "cut",
      "ab",
    ],
  ] as const)("%s", async (_, answer, request, end, body) => {
    const outlet = new FakeOutlet();
    expect(await writeAnswer(answer, request, outlet)).toBe(end);
    expect(outlet.body).toBe(body);
  });

  test("to HEAD, the body is left", async () => {
    const outlet = new FakeOutlet();
    const body = new Pieces(["abc"]);
    expect(await writeAnswer(answerOf(body), { ...get, method: "HEAD" }, outlet)).toBe("whole");
    expect([outlet.body, ...body.log]).toEqual(["", "left"]);
  });

  test("a piece is sent when the socket has taken all of it, and the next one is read then", async () => {
    const outlet = new FakeOutlet();
    const body = new Pieces(["a", "b"]);
    const written = writeAnswer(answerOf(body, 2), get, outlet);
    outlet.isFull = true;
    await Bun.sleep(1);
    expect(body.log).toEqual(["written a"]);
    outlet.drain();
    await Bun.sleep(1);
    expect(body.log).toEqual(["written a", "sent a", "written b"]);
    outlet.drain();
    expect(await written).toBe("whole");
    expect(body.log.at(-1)).toBe("sent b");
  });

  test("waits where the body asks for it", async () => {
    const outlet = new FakeOutlet();
    const { promise, resolve } = Promise.withResolvers<void>();
    const { read, left } = new Pieces(["a", "b"]);
    const written = writeAnswer(answerOf({ read, left, written: () => promise }, 2), get, outlet);
    await Bun.sleep(1);
    expect(outlet.body).toBe("a");
    resolve();
    await written;
    expect(outlet.body).toBe("ab");
  });

  test("nothing is written to a client that has left", async () => {
    const outlet = new FakeOutlet();
    outlet.hasClosed = true;
    expect(await writeAnswer(answerOf(new Pieces(["a"])), get, outlet)).toBe("broken");
    expect(outlet.body).toBe("");
  });
});
