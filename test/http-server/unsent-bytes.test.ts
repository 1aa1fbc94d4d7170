import { describe, expect, test } from "bun:test";
import { UnsentBytes } from "#http-server/unsent-bytes.ts";
import { joinedAnswerBytesMax } from "#limits/http.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

/** A socket that takes so many bytes at each write. */
class FakeSocket {
  readonly writes: string[] = [];
  takes = Infinity;

  readonly write = (bytes: Uint8Array): number => {
    const taken = Math.min(this.takes, bytes.length);
    if (taken > 0) this.writes.push(textOf(bytes.subarray(0, taken)));
    return taken;
  };
}

const settled = (promise: Promise<void> | undefined) =>
  Promise.race([promise?.then(() => true), Bun.sleep(1).then(() => false)]);

describe("UnsentBytes", () => {
  test("short pieces leave in one write, long ones each for itself", () => {
    const socket = new FakeSocket();
    const unsent = new UnsentBytes(socket.write);
    expect(unsent.push([bytesOf("a"), bytesOf("b")])).toBeUndefined();
    expect(unsent.push([])).toBeUndefined();
    const long = "x".repeat(joinedAnswerBytesMax);
    expect(unsent.push([bytesOf(long)])).toBeUndefined();
    expect(unsent.push([bytesOf("a"), bytesOf(long)])).toBeUndefined();
    expect(socket.writes).toEqual(["ab", long, "a", long]);
  });

  test("what the socket does not take goes first when it takes more, in order", async () => {
    const socket = new FakeSocket();
    const unsent = new UnsentBytes(socket.write);
    socket.takes = 2;
    const first = unsent.push([bytesOf("abc")]);
    const second = unsent.push([bytesOf("d")]);
    expect([socket.writes.join(), await settled(first)]).toEqual(["ab", false]);
    socket.takes = 1;
    unsent.flush();
    // The socket says when it takes more; until then, a part is not offered again.
    expect([socket.writes.join(""), await settled(first), await settled(second)]).toEqual([
      "abcd",
      true,
      true,
    ]);
  });

  test("of a closed socket, nothing waits", async () => {
    const unsent = new UnsentBytes(() => -1);
    const waiting = unsent.push([bytesOf("a")]);
    expect(await settled(waiting)).toBe(false);
    unsent.drop();
    expect(await settled(waiting)).toBe(true);
  });
});
