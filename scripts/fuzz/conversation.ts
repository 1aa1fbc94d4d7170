import {
  encodePieces,
  makeDraft,
  type Draft,
  mutate,
  objectText,
  type Piece,
  splitDraft,
  RawJson,
  type Speaker,
  splitPieces,
  type Step,
  makeUnusualId,
} from "./messages.ts";
import type { Random } from "./contents.ts";

export type Manner = {
  readonly era: "legacy" | "modern";
  readonly mutationRate: number;
  readonly cutRate: number;
};

export type SentRequest = { readonly rawId: string; readonly marker: string };

export class Conversation {
  readonly random: Random;
  readonly manner: Manner;
  #steps: Step[] = [];
  #count = 0;

  constructor(random: Random, manner: Manner) {
    this.random = random;
    this.manner = manner;
  }

  take(): Step[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }

  number(): number {
    this.#count += 1;
    return this.#count;
  }

  ask(
    method: string,
    params: Readonly<Record<string, unknown>>,
    { needs, rawId = this.#newId() }: { readonly needs?: string; readonly rawId?: string } = {},
  ): SentRequest {
    const marker = `m${this.number()}`;
    const message = makeDraft({
      jsonrpc: "2.0",
      id: new RawJson(rawId),
      method,
      params: { ...params, _meta: { ...this.#meta(), marker } },
    });
    this.say("client", message, needs);
    return { rawId, marker: JSON.stringify(marker) };
  }

  answer({ rawId, marker }: SentRequest, result: unknown): void {
    this.say("server", makeDraft({ jsonrpc: "2.0", id: new RawJson(rawId), result }), marker);
  }

  fail({ rawId, marker }: SentRequest, error: unknown): void {
    this.say("server", makeDraft({ jsonrpc: "2.0", id: new RawJson(rawId), error }), marker);
  }

  notify(
    by: Speaker,
    method: string,
    params: Readonly<Record<string, unknown>>,
    needs?: string,
  ): void {
    this.say(by, makeDraft({ jsonrpc: "2.0", method, params }), needs);
  }

  say(by: Speaker, message: Draft, needs?: string): void {
    const isMutated = this.random.chance(this.manner.mutationRate);
    const written = isMutated ? mutate(message, by, this.random) : message;
    this.write(by, splitDraft(written), needs);
  }

  sayTogether(by: Speaker, messages: readonly Draft[], needs?: string): void {
    const text = `[${messages.map(objectText).join(this.random.pick([",", " , "]))}]\n`;
    this.write(by, splitPieces(text), needs);
  }

  write(by: Speaker, pieces: readonly Piece[], needs?: string): void {
    const cuts = this.random.chance(this.manner.cutRate) ? this.#cuts(pieces) : [];
    this.#steps.push({
      by,
      pieces,
      ...(cuts.length > 0 && { cuts }),
      ...(needs !== undefined && { needs }),
    });
  }

  together(acts: readonly ((conversation: Conversation) => void)[]): void {
    const before = this.take();
    const parts = acts.map((act) => {
      act(this);
      return this.take();
    });
    const merged: Step[] = [];
    for (let rest = parts; rest.length > 0; rest = rest.filter((part) => part.length > 0)) {
      const step = this.random.pick(rest.filter((part) => part.length > 0)).shift();
      if (step) merged.push(step);
    }
    this.#steps = [...before, ...merged];
  }

  #cuts(pieces: readonly Piece[]): number[] {
    const { length } = encodePieces(pieces);
    const count = this.random.pickWeighted([
      [4, 1],
      [2, 3],
      [1, 12],
    ]);
    const cuts = Array.from({ length: count }, () => this.random.between(1, length - 1));
    return [...new Set(cuts)].filter((at) => at > 0 && at < length).toSorted((a, b) => a - b);
  }

  #newId(): string {
    const number = this.number();
    if (!this.random.chance(this.manner.mutationRate)) return String(number);
    return makeUnusualId(number, this.random);
  }

  #meta(): Readonly<Record<string, unknown>> {
    if (this.manner.era === "legacy") return {};
    return {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "fuzz-client", version: "1" },
    };
  }
}
