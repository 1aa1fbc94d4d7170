import type { SpillPlace } from "#tokens/cost/clients/client-profile.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { AskedFacts } from "#tokens/cost/reading.ts";

export type Excess = {
  /** A tool's result as the server sent it; undefined for all else, and when it was too long to read. */
  readonly result: unknown;
  readonly asked: AskedFacts;
  readonly room: number;
  readonly spec: string;
  readonly reader: Reader;
  readonly keep: Keep;
};

/** A text to be saved: the whole answer, in a folder that the client's model can read. */
export type KeptFile = {
  readonly text: string;
  readonly extension: string;
  readonly place: SpillPlace;
};

export type Keep = (file: KeptFile) => string | undefined;

export type ResultAnswer =
  | { readonly kind: "pass" }
  | { readonly kind: "refuse" }
  | { readonly kind: "replace"; readonly result: unknown };

/**
 * One answer to a breach. It declares what it needs, so that no other room depends on its name; it knows
 * results, not messages. A request without room waits, is refused where the action enforces, and else
 * passes.
 */
export type Action = {
  readonly id: string;
  readonly isEnforcing: boolean;
  readonly holdsAnswers: boolean;
  readonly waits: boolean;
  readonly reduces: boolean;
  readonly saves: boolean;
  result(excess: Excess): ResultAnswer;
};
