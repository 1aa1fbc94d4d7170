import { expect } from "bun:test";
import { repeatNoteCallsMax } from "#meter/budgets/repeats.ts";
import { isObject, readMember, readString } from "#wire/json.ts";
import { Random } from "../../scripts/fuzz/contents.ts";

/** What stands between the client and the server of a play. */
export type Channel = {
  readonly mayBatch: boolean;
  readonly isStateless: boolean;
  ask(text: string): void | Promise<void>;
  /** The server answers; returns what reaches the client. */
  answer(id: number, text: string): readonly string[] | Promise<readonly string[]>;
  /** Either side says something that is no call and no answer to one. */
  say?(from: "client" | "server", text: string): void | Promise<void>;
  later?(ms: number): void;
};

type Open = { readonly id: number; readonly key: string; readonly name: string };
type Whole = { readonly result: string; readonly number: number };
type Body = { readonly member: "result" | "error"; readonly text: string };

const prefix = "io.modelcontextprotocol";
const serverInfo = `"_meta":{"${prefix}/serverInfo":{"name":"garden","version":"1"}}`;
const tools = ["search", "read", "unlisted"] as const;

export const listed = tools
  .filter((name) => name !== "unlisted")
  .map((name) => ({ name, inputSchema: { type: "object" } }));

/** Random calls and answers. A note must stand for an answer that was delivered whole shortly before. */
export class RepeatPlay {
  readonly seen = new Map<string, number>();
  readonly #random: Random;
  readonly #channel: Channel;
  readonly #isModern: boolean;
  readonly #versions = new Map<string, number>();
  readonly #wholes = new Map<string, Whole>();
  #open: Open[] = [];
  #id = 100;
  #answers = 0;

  constructor(seed: number, channel: Channel, isModern: boolean) {
    this.#random = new Random(seed);
    this.#channel = channel;
    this.#isModern = isModern;
  }

  async play(steps: number): Promise<void> {
    for (let left = steps; left > 0; left -= 1) await this.#step();
    while (this.#open.length > 0) await this.#answer();
  }

  async #step(): Promise<void> {
    const kind = this.#random.below(24);
    if (kind < 11 && this.#open.length < 4) await this.#ask();
    else if (kind < 20) await this.#answer();
    else if (kind === 20) await this.#answerBatch();
    else if (kind === 21) this.#channel.later?.(this.#random.pick([1, 60_000, 2_400_000]));
    else if (this.#random.chance(0.2)) await this.#disturb();
  }

  async #ask(): Promise<void> {
    this.#id += 1;
    const id = this.#id;
    const name = this.#random.pick([...tools, "search", "search"]);
    const q = this.#random.below(2);
    const thread = this.#random.pick(["", "", "one", "one", "two"]);
    const meta = {
      ...(this.#isModern ? { [`${prefix}/protocolVersion`]: "2026-07-28" } : {}),
      ...(thread === "" ? {} : { threadId: thread }),
      progressToken: id,
    };
    const params = { name, arguments: { q }, _meta: meta };
    this.#open.push({ id, name, key: `${name} ${q} ${thread}` });
    await this.#channel.ask(JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params }));
  }

  async #answer(): Promise<void> {
    const open = this.#take();
    if (!open) return;
    const { member, text } = this.#makeBody(open);
    const line = this.#random.chance(0.3)
      ? `{"${member}":${text}, "jsonrpc" : "2.0","id":${open.id}}`
      : `{"jsonrpc":"2.0","id":${open.id},"${member}":${text}}`;
    const received = await this.#channel.answer(open.id, line);
    expect(received).toHaveLength(1);
    this.#answers += 1;
    this.#check(open, { member, text }, [line, received[0] ?? ""]);
  }

  // Batches are delivered as they are.
  async #answerBatch(): Promise<void> {
    if (!this.#channel.mayBatch || this.#open.length < 2) return;
    const many = [this.#take(), this.#take()].filter((open) => open !== undefined);
    const texts = many.map((open) => {
      const { member, text } = this.#makeBody(open);
      return `{"jsonrpc":"2.0","id":${open.id},"${member}":${text}}`;
    });
    const line = `[${texts.join(",")}]`;
    expect(await this.#channel.answer(many[0]?.id ?? 0, line)).toEqual([line]);
    this.#answers += many.length;
    for (const { key } of many) this.#wholes.delete(key);
    this.#count("batch");
  }

  async #disturb(): Promise<void> {
    const { say } = this.#channel;
    if (!say) return;
    const said = this.#random.pick([
      ["client", { method: "notifications/cancelled", params: { requestId: this.#id } }],
      ["client", { id: 1, method: "initialize", params: {} }],
      ["server", { id: 99_999, result: {} }],
    ] as const);
    const [from, message] = said;
    await say.call(this.#channel, from, JSON.stringify({ jsonrpc: "2.0", ...message }));
    if (readString(message, "method") === "notifications/cancelled")
      this.#open = this.#open.filter(({ id }) => id !== this.#id);
    this.#wholes.clear();
    this.#open = this.#open.map((open) => ({ ...open, key: `${open.key} before` }));
    this.#count("disturbed");
  }

  #take(): Open | undefined {
    const open = this.#random.any(this.#open);
    this.#open = this.#open.filter((one) => one !== open);
    return open;
  }

  #makeBody({ key, name }: Open): Body {
    const random = this.#random;
    if (random.chance(0.06)) return { member: "error", text: '{"code":-5,"message":"no"}' };
    const change = random.chance(0.15) ? 1 : 0;
    const version = (this.#versions.get(key) ?? 0) + change;
    this.#versions.set(key, version);
    const words = random.chance(0.1) ? "short" : `${name} ${version} ${"word ".repeat(300)}`;
    const block = `{"type":"text","text":${JSON.stringify(words)}}`;
    const extra = random.pickWeighted<string>([
      [30, this.#isModern ? `,"resultType":"complete",${serverInfo}` : ""],
      [2, ',"isError":false'],
      [2, ',"isError":true'],
      [1, ',"x":1'],
      [1, ',"structuredContent":{"n":1}'],
      [1, ',"structuredContent":{"n":1.0}'],
      [1, ',"resultType":"input_required","inputRequests":{}'],
    ]);
    return { member: "result", text: `{"content":[${block}]${extra}}` };
  }

  #check(open: Open, { member, text }: Body, [sent, received]: readonly [string, string]): void {
    const { key } = open;
    const before = this.#wholes.get(key);
    this.#wholes.delete(key);
    if (received === sent) {
      this.#count(before?.result === text ? "whole again" : "whole");
      if (member === "result") this.#wholes.set(key, { result: text, number: this.#answers });
      return;
    }
    this.#count("note");
    // Nothing came in between: a note deletes the answer that it stands for.
    expect(before?.result).toBe(text);
    expect(this.#answers - (before?.number ?? 0)).toBeWithin(1, repeatNoteCallsMax + 1);
    expect(this.#channel.isStateless && key.endsWith(" ")).toBe(false);
    expect(open.name).not.toBe("unlisted");
    const [original, noted]: unknown[] = [JSON.parse(sent), JSON.parse(received)];
    const note = readMember(noted, "result", "content");
    expect(note).toEqual([
      { type: "text", text: expect.stringMatching(/^mcp-meter: \w+ ran, and/) },
    ]);
    expect(withContent(noted, null)).toEqual(withContent(original, null));
  }

  #count(kind: string): void {
    this.seen.set(kind, (this.seen.get(kind) ?? 0) + 1);
  }
}

function withContent(message: unknown, content: null): unknown {
  const result = readMember(message, "result");
  return isObject(message) && isObject(result)
    ? { ...message, result: { ...result, content } }
    : message;
}
