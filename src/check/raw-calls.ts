import type { JsonObject } from "#wire/json.ts";

/** A calls file as calls.schema.json describes it. */
export type RawCalls =
  | readonly RawCall[]
  | {
      /** Seconds, for the calls that have none. */
      readonly timeout?: number;
      readonly calls: readonly RawCall[];
    };

/** One call of a calls file. */
export type RawCall = {
  readonly tool: string;
  readonly arguments?: JsonObject;
  readonly isError?: boolean;
  readonly expect?: RawExpectation;
  readonly budget?: number | string;
  readonly repeat?: number;
  /** Seconds. */
  readonly timeout?: number;
  /** A reason. */
  readonly skip?: string;
  readonly name?: string;
};

/** The expected answer of a call. */
export type RawExpectation = {
  readonly contains?: string | readonly string[];
  readonly matches?: string | readonly string[];
  /** Values by their JSON pointers. */
  readonly equals?: JsonObject;
};
