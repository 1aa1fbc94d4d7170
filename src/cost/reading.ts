import { memberAt } from "#wire/json.ts";
import type { Caller } from "./caller.ts";
import type { ClientProfile } from "./clients/client-profile.ts";
import type { Part } from "./part.ts";
import { countParts } from "./price.ts";
import type { Reader } from "./reader.ts";

/** The request that an answer belongs to. */
export type AskedFacts = {
  /** Null for methods without a name. */
  readonly tool: string | null;
  /** Name and arguments, as texts. */
  readonly input: readonly string[];
  readonly caller: Caller;
};

/** Everything that decides how a model reads one answer. */
export type Reading = {
  readonly profile: ClientProfile;
  readonly asked: AskedFacts;
  /** The tool's `_meta["anthropic/maxResultSizeChars"]`, as the server sent it. */
  readonly requestedCharacters: () => unknown;
  /** Tokens of parts, or any number above `enough`. */
  readonly count: (parts: readonly Part[], enough: number) => number;
};

/** How a reader reads the answer to a request. `count` counts for it where a count may have to wait. */
export function readingOf(
  reader: Reader,
  asked: AskedFacts,
  count: Reading["count"] = (parts, enough) => countParts(parts, reader, enough),
): Reading {
  const { profile, tools } = reader;
  return {
    profile,
    asked,
    requestedCharacters: () =>
      asked.tool === null
        ? undefined
        : memberAt(tools?.find(asked.tool), "_meta", "anthropic/maxResultSizeChars"),
    count,
  };
}
