export const redisAnswerBytesMax = 4 * 1024 * 1024;

export const redisAnswerDepthMax = 4;

export type Reply = string | number | null | RedisFault | readonly Reply[];

type Parsed = { readonly value: Reply | OpenList; readonly end: number };

type OpenList = { readonly length: number; readonly items: Reply[] };

export function encodeCommand(words: readonly string[]): string {
  const texts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  return `*${words.length}\r\n${texts.join("")}`;
}

export class ReplyReader {
  #unread: Buffer = Buffer.alloc(0);
  #openLists: OpenList[] = [];
  #replyBytes = 0;

  // Parses each complete item only once: a list may arrive in many chunks.
  push(bytes: Uint8Array): readonly Reply[] {
    this.#unread =
      this.#unread.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#unread, bytes]);
    const replies: Reply[] = [];
    let start = 0;
    for (let parsed = parse(this.#unread, 0); parsed; parsed = parse(this.#unread, start)) {
      this.#replyBytes += parsed.end - start;
      start = parsed.end;
      const reply = this.#add(parsed.value);
      if (reply === undefined) continue;
      replies.push(reply);
      this.#replyBytes = 0;
    }
    this.#unread = this.#unread.subarray(start);
    if (this.#replyBytes + this.#unread.length > redisAnswerBytesMax) throw makeReplyFault();
    return replies;
  }

  #add(value: Reply | OpenList): Reply | undefined {
    if (isOpenList(value)) {
      if (this.#openLists.length >= redisAnswerDepthMax) throw makeReplyFault();
      this.#openLists.push(value);
    }
    let reply: Reply | undefined = isOpenList(value) ? undefined : value;
    for (let list = this.#openLists.at(-1); list; list = this.#openLists.at(-1)) {
      if (reply !== undefined) list.items.push(reply);
      if (list.items.length < list.length) return undefined;
      this.#openLists.pop();
      reply = list.items;
    }
    return reply;
  }
}

function isOpenList(value: Reply | OpenList): value is OpenList {
  return typeof value === "object" && value !== null && "items" in value;
}

function parse(bytes: Buffer, start: number): Parsed | undefined {
  const kind = bytes[start];
  if (kind === undefined) return undefined;
  if (!"+-:$*".includes(String.fromCharCode(kind))) throw makeReplyFault();
  const lineEnd = bytes.indexOf("\r\n", start);
  if (lineEnd < 0) return undefined;
  const line = bytes.toString("utf8", start + 1, lineEnd);
  const end = lineEnd + 2;
  switch (String.fromCharCode(kind)) {
    case "+":
      return { value: line, end };
    case "-":
      return { value: new RedisFault(parseErrorCode(line)), end };
    case ":":
      return { value: parseInteger(line), end };
    case "$":
      return parseText(bytes, end, parseLength(line));
    default: {
      const length = parseLength(line);
      return { value: length < 0 ? null : { length, items: [] }, end };
    }
  }
}

function parseText(bytes: Buffer, start: number, length: number): Parsed | undefined {
  if (length < 0) return { value: null, end: start };
  const end = start + length;
  if (bytes.length < end + 2) return undefined;
  return { value: bytes.toString("utf8", start, end), end: end + 2 };
}

function parseLength(line: string): number {
  const length = parseInteger(line);
  if (length < -1 || length > redisAnswerBytesMax) throw makeReplyFault();
  return length;
}

function parseInteger(line: string): number {
  const number = /^-?\d{1,16}$/.test(line) ? Number(line) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw makeReplyFault();
  return number;
}

// `WRONGPASS invalid username…` has the code `WRONGPASS`.
function parseErrorCode(line: string): string {
  // If a script runs a forbidden command, the error of some Redis versions lacks `NOPERM`.
  const isForbidden =
    line.startsWith("NOPERM ") || /can't run this command|can't access|ACL failure/.test(line);
  if (isForbidden) return /\baccess .*\bkeys?\b/.test(line) ? "NOPERM_KEYS" : "NOPERM";
  return /^[A-Z]{2,20}(?= |$)/.exec(line)?.[0] ?? "ERR";
}

export function makeReplyFault(): RedisFault {
  return new RedisFault("not a Redis reply");
}

export class RedisFault extends Error {
  // An error code from the system (`ETIMEDOUT`), Redis (`WRONGPASS`) or mcp-meter (`NO_DATABASE`), or a short reason.
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
