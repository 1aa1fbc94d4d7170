import { describe, expect, test } from "bun:test";
import {
  redisAnswerBytesMax,
  redisAnswerDepthMax,
  encodeCommand,
  type Reply,
  ReplyReader,
  RedisFault,
} from "#state/stores/redis/replies.ts";
import { thrownBy } from "../../../support/folder.ts";
import { cpuMs } from "../../../support/measure.ts";

const read = (text: string): readonly Reply[] => new ReplyReader().push(Buffer.from(text));

describe("encodeCommand", () => {
  test("counts bytes, not characters", () => {
    expect(encodeCommand(["SET", "ä", ""])).toBe("*3\r\n$3\r\nSET\r\n$2\r\nä\r\n$0\r\n\r\n");
  });
});

describe("ReplyReader", () => {
  test.each([
    ["+OK\r\n", ["OK"]],
    [":-42\r\n", [-42]],
    ["$2\r\nhi\r\n", ["hi"]],
    ["$2\r\n\r\n\r\n", ["\r\n"]],
    ["$-1\r\n*-1\r\n", [null, null]],
    ["*2\r\n:1\r\n*1\r\n$0\r\n\r\n", [[1, [""]]]],
    [":1\r\n:2", [1]],
  ] satisfies [string, readonly Reply[]][])("%p", (text, replies) => {
    expect(read(text)).toEqual(replies);
  });

  test("an error is a value with the first word of its text, and nothing else of it", () => {
    const [known, unknown] = read("-WRONGPASS invalid username\r\n-Hostile text\r\n");
    expect(known).toBeInstanceOf(RedisFault);
    expect([known, unknown]).toMatchObject([{ code: "WRONGPASS" }, { code: "ERR" }]);
  });

  test.each([
    ["NOPERM this user has no permissions to run the 'hset' command", "NOPERM"],
    [
      "NOPERM this user has no permissions to access one of the keys used as arguments",
      "NOPERM_KEYS",
    ],
    ["ERR The user executing the script can't run this command or subcommand script: a", "NOPERM"],
    ["ERR ACL failure in script: User a has no permissions to run the 'hset' command", "NOPERM"],
    ["ERR ACL failure in script: No permissions to access a key", "NOPERM_KEYS"],
    ["NOPERM User api-key has no permissions to run the 'select' command", "NOPERM"],
    ["NOPERM User access-key has no permissions to run the 'select' command", "NOPERM"],
    ["NOPERM User ann has no permissions to access the 'a' key", "NOPERM_KEYS"],
    [
      "ERR The user executing the script can't access at least one of the keys mentioned",
      "NOPERM_KEYS",
    ],
    ["ERR unknown command", "ERR"],
  ])("%p is %s", (text, code) => {
    expect(read(`-${text}\r\n`)).toEqual([new RedisFault(code)]);
  });

  test("any pieces give the same answers", () => {
    const text = "*3\r\n:1\r\n$5\r\nhello\r\n+a\r\n-ERR b\r\n";
    for (let size = 1; size < text.length; size += 1) {
      const reader = new ReplyReader();
      const replies: Reply[] = [];
      for (let at = 0; at < text.length; at += size)
        replies.push(...reader.push(Buffer.from(text.slice(at, at + size))));
      expect(replies).toEqual([[1, "hello", "a"], new RedisFault("ERR")]);
    }
  });

  test.each([
    ["HTTP/1.1 400 Bad Request\r\n"],
    [":one\r\n"],
    [":99999999999999999999\r\n"],
    ["$-2\r\n"],
    [`$${redisAnswerBytesMax + 1}\r\n`],
    ["*2000000000\r\n"],
    ["*1\r\n".repeat(redisAnswerDepthMax + 2)],
  ])("%p is not an answer", (text) => {
    expect(thrownBy(() => read(text))).toBe("not a Redis reply");
  });

  test("an answer that never ends is given up at the limit, not before", () => {
    const head = `$${redisAnswerBytesMax}\r\n`;
    const text = "x".repeat(redisAnswerBytesMax - head.length);
    expect(read(head + text)).toEqual([]);
    expect(thrownBy(() => read(`+${"x".repeat(redisAnswerBytesMax)}`))).toContain(
      "not a Redis reply",
    );
  });

  test("row 174: a list that comes in pieces is read once, not once for each piece", async () => {
    const reader = new ReplyReader();
    const piece = Buffer.from(":1\r\n".repeat(100));
    reader.push(Buffer.from("*2000000\r\n"));
    const taken = await cpuMs(() => {
      for (let at = 0; at < 3_000; at += 1) expect(reader.push(piece)).toEqual([]);
    });
    expect(taken).toBeLessThan(2_000);
    const endless = () => {
      for (let at = 0; at < redisAnswerBytesMax / piece.length; at += 1) reader.push(piece);
    };
    expect(thrownBy(endless)).toBe("not a Redis reply");
  });
});
