import type { JsonObject } from "#wire/json.ts";

/** One request to count: a message of the user, and tools where there are any. */
export type CountQuestion = { readonly text: string; readonly tools?: readonly JsonObject[] };

/** A request as it is sent, without the address of the host. */
type CountRequest = {
  readonly path: string;
  readonly headers: Readonly<{ [name: string]: string }>;
  readonly body: JsonObject;
};

/** A maker of models with a public counter of tokens. */
export type Maker = {
  readonly id: string;
  readonly name: string;
  /** Variables of the key, the first that is set counts. */
  readonly keyVariables: readonly string[];
  /** The variable by which the maker's own programs name another host. */
  readonly urlVariable: string;
  readonly url: string;
  /** True for the models of this maker. */
  readonly makes: (model: string) => boolean;
  readonly request: (model: string, question: CountQuestion, key: string) => CountRequest;
  /** Tokens in an answer; undefined when it has none. */
  readonly tokens: (answer: unknown) => number | undefined;
};

/** A member that is a count of tokens. */
export function countIn(answer: JsonObject, name: string): number | undefined {
  const count = Object.hasOwn(answer, name) ? answer[name] : undefined;
  return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined;
}
