import { memberAt } from "#wire/json.ts";
import type { Caller } from "./caller.ts";
import type { ClientProfile } from "./clients/client-profile.ts";
import type { Part } from "./part.ts";
import { countParts } from "./price.ts";
import type { Reader } from "./reader.ts";

export type AskedFacts = {
  readonly tool: string | null;
  readonly input: readonly string[];
  readonly caller: Caller;
};

export type Reading = {
  readonly profile: ClientProfile;
  readonly asked: AskedFacts;
  /** As the server sent it: `_meta["anthropic/maxResultSizeChars"]`. */
  readonly requestedCharacters: () => unknown;
  readonly count: (parts: readonly Part[], enough: number) => number;
};

/** Counts with `count` where a count may have to wait. */
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
