import type { JsonObject } from "#wire/json.ts";

export type CountQuestion = { readonly text: string; readonly tools?: readonly JsonObject[] };

type CountRequest = {
  readonly path: string;
  readonly headers: Readonly<{ [name: string]: string }>;
  readonly body: JsonObject;
};

export type Maker = {
  readonly id: string;
  readonly name: string;
  readonly keyVariables: readonly string[];
  readonly urlVariable: string;
  readonly url: string;
  readonly servesModel: (model: string) => boolean;
  readonly request: (model: string, question: CountQuestion, key: string) => CountRequest;
  readonly parseTokens: (answer: unknown) => number | undefined;
};

export function readCount(answer: JsonObject, name: string): number | undefined {
  const count = Object.hasOwn(answer, name) ? answer[name] : undefined;
  return Number.isSafeInteger(count) && Number(count) >= 0 ? Number(count) : undefined;
}
