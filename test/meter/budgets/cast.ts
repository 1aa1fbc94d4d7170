import type { Random } from "../../../scripts/fuzz/contents.ts";

export type RequestDescription = {
  readonly number: number;
  readonly rawId: string | undefined;
  readonly method: string;
  readonly tool: string | null;
  readonly text: string;
  readonly partOf: number | undefined;
  readonly servedNowMs: number;
  isCancelled: boolean;
};

export const tools = ["a", "ab", "b", "__proto__"] as const;
const words = "one two three four five six seven eight nine ten ";

/** Ids as some client writes them; few, so that they meet. */
const rawIds = [
  "1",
  '"1"',
  "1.0",
  "2",
  '"\\u0041"',
  '""',
  "9007199254740993",
  "9007199254740992",
  "-0",
] as const;

export class Cast {
  readonly random: Random;
  readonly asked: RequestDescription[] = [];
  readonly #isModern: boolean;
  readonly #isRepeating: boolean;
  #arguments = 0;

  constructor(random: Random, isModern: boolean, isRepeating: boolean) {
    this.random = random;
    this.#isModern = isModern;
    this.#isRepeating = isRepeating;
  }

  ask(nowMs: number, hasId = true): RequestDescription {
    const { random } = this;
    const kind = random.below(10);
    if (hasId && kind === 0)
      return this.#say({ method: "tools/list", tool: null, params: {}, servedNowMs: nowMs });
    if (hasId && kind === 1) {
      return this.#say({
        method: "resources/read",
        tool: null,
        params: { uri: this.#words(4) },
        servedNowMs: nowMs,
      });
    }
    if (hasId && kind === 2) {
      return this.#say({
        method: "prompts/get",
        tool: "a",
        params: { name: "a", arguments: {} },
        servedNowMs: nowMs,
      });
    }
    return this.call(nowMs, hasId);
  }

  call(nowMs: number, hasId = true): RequestDescription {
    const tool = this.random.pick(tools);
    if (this.random.chance(0.8)) this.#arguments += 1;
    const args = this.#isRepeating ? {} : { q: this.#words(6), n: this.#arguments };
    return this.#say({
      method: "tools/call",
      tool,
      params: { name: tool, arguments: args },
      servedNowMs: nowMs,
      hasId,
    });
  }

  goOn(
    first: RequestDescription,
    method: string,
    params: object,
    nowMs: number,
  ): RequestDescription {
    return this.#say({
      method,
      tool: first.tool,
      params,
      servedNowMs: nowMs,
      partOf: first.number,
    });
  }

  words(most: number): string {
    return this.#words(most);
  }

  #words(most: number): string {
    return words.repeat(8).slice(0, this.random.below(most * 5));
  }

  #say({ method, tool, params, servedNowMs, hasId = true, partOf }: Words): RequestDescription {
    const number = this.asked.length;
    const rawId = hasId ? this.random.pick(rawIds) : undefined;
    const modern = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "modern", version: "1" },
    };
    const meta = { number, ...(this.#isModern ? modern : {}) };
    const id = rawId === undefined ? "" : `"id":${rawId},`;
    const shown = JSON.stringify({ ...params, _meta: meta });
    const text = `{"jsonrpc":"2.0",${id}"method":"${method}","params":${shown}}`;
    const asked = { number, rawId, method, tool, text, partOf, servedNowMs, isCancelled: false };
    this.asked.push(asked);
    return asked;
  }
}

type Words = {
  readonly method: string;
  readonly tool: string | null;
  readonly params: object;
  readonly servedNowMs: number;
  readonly hasId?: boolean;
  readonly partOf?: number;
};

export function answerTo(
  { rawId }: RequestDescription,
  member: "result" | "error",
  value: unknown,
): string {
  return `{"jsonrpc":"2.0","id":${rawId},"${member}":${JSON.stringify(value)}}`;
}
