import type { JsonObject } from "#wire/json.ts";

export type RawCalls =
  | readonly RawCall[]
  | {
      readonly timeout?: number;
      readonly calls: readonly RawCall[];
    };

export type RawCall = {
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly isError?: boolean;
  readonly expect?: RawExpectation;
  readonly budget?: number | string;
  readonly repeat?: number;
  readonly timeout?: number;
  readonly skip?: string;
  readonly name?: string;
};

export type RawExpectation = {
  readonly contains?: string | readonly string[];
  readonly matches?: string | readonly string[];
  readonly equals?: JsonObject;
};
