import { redisAnswerBytesMax, redisAnswerDepthMax } from "#limits/redis.ts";
import { RedisFault } from "./redis-fault.ts";

export type Reply = string | number | null | RedisFault | readonly Reply[];

type Parsed = { readonly reply: Reply; readonly end: number };

/** RESP2. */
export function encodeCommand(words: readonly string[]): string {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${parts.join("")}`;
}

export class ReplyReader {
  #waiting: Buffer = Buffer.alloc(0);

  push(bytes: Uint8Array): readonly Reply[] {
    this.#waiting =
      this.#waiting.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#waiting, bytes]);
    const replies: Reply[] = [];
    let start = 0;
    for (let parsed = parse(this.#waiting, 0, 0); parsed; parsed = parse(this.#waiting, start, 0)) {
      replies.push(parsed.reply);
      start = parsed.end;
    }
    this.#waiting = this.#waiting.subarray(start);
    if (this.#waiting.length > redisAnswerBytesMax) throw strange();
    return replies;
  }
}

function parse(bytes: Buffer, start: number, depth: number): Parsed | undefined {
  const kind = bytes[start];
  if (kind === undefined) return undefined;
  if (!"+-:$*".includes(String.fromCharCode(kind)) || depth > redisAnswerDepthMax) throw strange();
  const lineEnd = bytes.indexOf("\r\n", start);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString("utf8", start + 1, lineEnd);
  const end = lineEnd + 2;
  switch (String.fromCharCode(kind)) {
    case "+":
      return { reply: line, end };
    case "-":
      return { reply: new RedisFault(errorWord(line)), end };
    case ":":
      return { reply: integer(line), end };
    case "$":
      return text(bytes, end, integer(line));
    default:
      return list(bytes, end, { length: integer(line), depth: depth + 1 });
  }
}

function text(bytes: Buffer, start: number, length: number): Parsed | undefined {
  if (length === -1) return { reply: null, end: start };
  if (length < 0 || length > redisAnswerBytesMax) throw strange();
  const end = start + length;
  if (bytes.length < end + 2) return undefined;
  return { reply: bytes.toString("utf8", start, end), end: end + 2 };
}

function list(
  bytes: Buffer,
  start: number,
  { length, depth }: { readonly length: number; readonly depth: number },
): Parsed | undefined {
  if (length === -1) return { reply: null, end: start };
  if (length < 0 || length > redisAnswerBytesMax) throw strange();
  const replies: Reply[] = [];
  let end = start;
  while (replies.length < length) {
    const parsed = parse(bytes, end, depth);
    if (!parsed) return undefined;
    replies.push(parsed.reply);
    end = parsed.end;
  }
  return { reply: replies, end };
}

function integer(line: string): number {
  const number = /^-?\d{1,16}$/.test(line) ? Number(line) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw strange();
  return number;
}

/** `WRONGPASS invalid username…` → `WRONGPASS`. Inside a script, some versions do not mark a missing permission. */
function errorWord(line: string): string {
  const isForbidden =
    line.startsWith("NOPERM ") || /can't run this command|can't access|ACL failure/.test(line);
  if (isForbidden) return /\bkeys?\b/.test(line) ? "NOPERM_KEYS" : "NOPERM";
  return /^[A-Z]{2,20}(?= |$)/.exec(line)?.[0] ?? "ERR";
}

function strange(): RedisFault {
  return new RedisFault("not an answer of Redis");
}
