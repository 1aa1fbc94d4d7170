import {
  at,
  isClear,
  splitLines,
  listAt,
  readOwnLine,
  parseLeniently,
  readMessages,
} from "../reading.ts";
import { hasEndedInOrder, formatExcerpt, type Oracle, type Transcript } from "../transcript.ts";

/**
 * Every line of the server arrives unchanged and in order. With a budget, refusals may stand between them, a refusal
 * or a shortened result may replace an answer, and unreadable lines and answers that nobody requested may be missing.
 * With `--annotate`, a result has one more member.
 */
export const downward: Oracle = (transcript) => {
  const { serverSent, clientGot, set } = transcript;
  if (Buffer.from(serverSent).equals(clientGot)) return [];
  const isExact = !set.isGating && !set.isAnnotating;
  const walk = new Walk(transcript, isExact);
  return walk.run();
};

const cutOff = " (mcp-meter: the rest of this line was withheld)\n";

class Walk {
  readonly #transcript: Transcript;
  readonly #isExact: boolean;
  readonly #sent: readonly Buffer[];
  readonly #got: readonly Buffer[];
  #sentAt = 0;
  #gotAt = 0;

  constructor(transcript: Transcript, isExact: boolean) {
    this.#transcript = transcript;
    this.#isExact = isExact;
    this.#sent = splitLines(transcript.serverSent);
    this.#got = splitLines(transcript.clientGot);
  }

  run(): readonly string[] {
    for (; this.#gotAt < this.#got.length; this.#gotAt += 1) {
      const line = this.#got[this.#gotAt] ?? Buffer.alloc(0);
      while (!this.#explains(line)) {
        if (!this.#skipMissing()) return [this.#describe(line)];
      }
    }
    while (this.#skipMissing());
    const lost = this.#sent[this.#sentAt];
    if (lost === undefined || !hasEndedInOrder(this.#transcript)) return [];
    return [`never arrived: ${formatExcerpt(lost)}`];
  }

  #explains(line: Buffer): boolean {
    const next = this.#sent[this.#sentAt];
    if (next?.equals(line) === true) return this.#advance();
    if (next !== undefined && this.#isCutOff(line, next)) return this.#advance();
    return !this.#isExact && this.#isAllowedChange(line, next);
  }

  #isAllowedChange(line: Buffer, next: Buffer | undefined): boolean {
    const ownLine = readOwnLine(line);
    const isRefusal = ownLine?.kind === "unrun" || ownLine?.kind === "unclear";
    if (isRefusal && this.#transcript.set.isGating) return true;
    if (next === undefined) return false;
    if (ownLine !== undefined) return this.#replaces(line, next);
    if (this.#transcript.set.isAnnotating && isAnnotated(line, next)) return this.#advance();
    if (isPartOfBatch(line, next) || isWithoutBlanks(line, next)) return this.#advance();
    return this.#isTorn(line, next);
  }

  /**
   * With a budget, an unreadable line may be missing, and so may an answer to a request that is
   * not open.
   */
  #skipMissing(): boolean {
    const next = this.#sent[this.#sentAt];
    if (next === undefined || !this.#transcript.set.isGating) return false;
    const isAnswer = readMessages(next).every(
      ({ kind, id }) => kind === "answer" && id !== undefined,
    );
    return (isAnswer || isClear(next, "server") !== true) && this.#advance();
  }

  #advance(): true {
    this.#sentAt += 1;
    return true;
  }

  #isCutOff(line: Buffer, next: Buffer): boolean {
    const isLast = this.#gotAt === this.#got.length - 1;
    return (
      isLast && !hasEndedInOrder(this.#transcript) && next.subarray(0, line.length).equals(line)
    );
  }

  #replaces(line: Buffer, next: Buffer): boolean {
    const messages = readMessages(next);
    const [mine] = readMessages(line);
    const isSame = messages.some(({ id }) => id === mine?.id || Number(id) === mine?.id);
    if (isClear(next, "server") !== true)
      return isSame || mine?.id !== undefined ? this.#advance() : false;
    if (!isSame) return false;
    if (messages.length < 2) return this.#advance();
    const following = this.#got[this.#gotAt + 1];
    const ids = new Set(messages.map(({ id }) => id));
    const rest = following === undefined ? [] : readMessages(following);
    const isMore = rest.length > 0 && rest.every(({ id }) => ids.has(id));
    return isMore ? true : this.#advance();
  }

  /** True for the start of an early answer, made unreadable; a refusal follows on the next line. */
  #isTorn(line: Buffer, next: Buffer): boolean {
    const following = this.#got[this.#gotAt + 1];
    const ownLine = following === undefined ? undefined : readOwnLine(following);
    const beginning = line.subarray(0, line.length - cutOff.length);
    if (ownLine === undefined || !line.includes(cutOff) || !next.includes(beginning)) return false;
    return ownLine.kind === "unrun" ? this.#advance() : true;
  }

  #describe(line: Buffer): string {
    const next = this.#sent[this.#sentAt] ?? Buffer.alloc(0);
    return `line ${this.#gotAt + 1} at the client is ${formatExcerpt(line)}, the server's next is ${formatExcerpt(next)}`;
  }
}

function isAnnotated(line: Buffer, next: Buffer): boolean {
  let head = 0;
  while (head < next.length && line[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < next.length - head && line.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  const isOnlyInserted = head + tail === next.length;
  const inserted = line.subarray(head, line.length - tail).toString();
  return isOnlyInserted && inserted.includes("dev.mcp-meter/usage") && isObject(line);
}

function isObject(line: Buffer): boolean {
  return typeof parseLeniently(line.toString().replace(/^\uFEFF/, "")) === "object";
}

function isWithoutBlanks(line: Buffer, next: Buffer): boolean {
  const [mine, theirs] = [parseLeniently(line.toString()), parseLeniently(next.toString())];
  const blocks = listAt(theirs, "result", "content");
  const inked = blocks.filter((block) => at(block, "text") !== "");
  const isShorter =
    inked.length < blocks.length && inked.length === listAt(mine, "result", "content").length;
  return isShorter && at(mine, "id") === at(theirs, "id");
}

function isPartOfBatch(line: Buffer, next: Buffer): boolean {
  if (line[0] !== 0x5b) return false;
  const [part, whole] = [readMessages(line), readMessages(next)];
  if (part.length === 0 || part.length >= whole.length) return false;
  const texts = new Set(whole.map((message) => JSON.stringify(message)));
  return part.every((message) => texts.has(JSON.stringify(message)));
}
