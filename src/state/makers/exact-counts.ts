import { exitCodes, UserError } from "#kit/errors.ts";
import { type CountKeys, countKeys, type KnownCounts } from "#tokens/cost/exact-prices.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { ask, type AskingWorld, type MakerModel } from "./ask.ts";
import type { CountQuestion } from "./maker.ts";
import { makerSentences } from "./sentences.ts";

// The smallest limit of a maker is 100 requests a minute.
const exactParallelMax = 4;

export type CountStore = KnownCounts & { set(key: string, tokens: number): void };

/** One letter is one token in every vocabulary. */
const letter = "a";

/** They measure the price of having any tool. */
const probes: readonly JsonObject[] = ["a", "b"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object" },
}));

/**
 * Asks for counts that the store lacks. Each is a request with a one-letter message, minus the message alone. A list
 * is the request with all of its tools, a definition the request with that tool alone; having any tool is two small
 * tools, each alone, minus both together; a text is the message with that text, minus the letter, plus its token.
 * Definitions are sent in canonical form and order, so that a list has one price.
 */
export class ExactCounts {
  readonly #counter: MakerModel;
  readonly #store: CountStore;
  readonly #world: AskingWorld;
  readonly #hash: (text: string) => string;
  readonly #keys: CountKeys;

  constructor(
    counter: MakerModel,
    store: CountStore,
    world: AskingWorld & { readonly hash: (text: string) => string },
  ) {
    this.#counter = counter;
    this.#store = store;
    this.#world = world;
    this.#hash = world.hash;
    this.#keys = countKeys({ maker: counter.maker.id, model: counter.model }, world.hash);
  }

  async text(text: string): Promise<number> {
    if (text === "") return 0;
    const base = await this.#base();
    const key = this.#keys.text(this.#hash(text));
    return this.#known(key, async () => Math.max(1, (await this.#ask({ text })) - base + 1));
  }

  async list(tools: readonly JsonObject[]): Promise<number> {
    if (tools.length === 0) return 0;
    const hashes = tools.map((tool) => this.#hash(canonicalJson(tool)));
    return this.#known(this.#keys.list(hashes), () => this.#together(tools));
  }

  async definitions(tools: readonly JsonObject[]): Promise<void> {
    await this.list(tools);
    await this.#known(this.#keys.perList, async () => {
      const alone = await Promise.all(probes.map((probe) => this.#together([probe])));
      const both = await this.#together(probes);
      return Math.max(0, alone.reduce((sum, one) => sum + one, 0) - both);
    });
    const waiting = [...tools];
    const work = async (): Promise<void> => {
      for (let tool = waiting.shift(); tool; tool = waiting.shift()) await this.#alone(tool);
    };
    await Promise.all(Array.from({ length: exactParallelMax }, work));
  }

  async #alone(tool: JsonObject): Promise<void> {
    const key = this.#keys.tool(this.#hash(canonicalJson(tool)));
    await this.#known(key, () => this.#together([tool]));
  }

  async #together(tools: readonly JsonObject[]): Promise<number> {
    const base = await this.#base();
    const canonical = tools.map(canonicalJson).toSorted();
    const sent = canonical.map((json): unknown => JSON.parse(json)).filter(isObject);
    const tokens = (await this.#ask({ text: letter, tools: sent })) - base;
    if (tokens > 0) return tokens;
    // A gateway may leave out tools. Its counts must not be kept as those of definitions.
    const { name } = this.#counter.maker;
    const reason = "its count of a request with tools is not larger than of one without";
    throw new UserError(makerSentences.exactFailed(name, reason), exitCodes.serverUnreachable);
  }

  #base(): Promise<number> {
    return this.#known(this.#keys.base, () => this.#ask({ text: letter }));
  }

  #ask(question: CountQuestion): Promise<number> {
    return ask(this.#counter, question, this.#world);
  }

  async #known(key: string, count: () => Promise<number>): Promise<number> {
    const known = this.#store.get(key);
    if (known !== undefined) return known;
    const tokens = await count();
    this.#store.set(key, tokens);
    return tokens;
  }
}
