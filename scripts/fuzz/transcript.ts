import type { Ending, Speaker } from "./messages.ts";
import type { OptionSet } from "./option-sets.ts";

export type Exchanged = { readonly by: Speaker; readonly bytes: Uint8Array };

export type Transcript = {
  readonly set: OptionSet;
  readonly ending: Ending;
  readonly clientSent: Uint8Array;
  readonly serverGot: Uint8Array;
  readonly serverSent: Uint8Array;
  readonly clientGot: Uint8Array;
  readonly atClient: readonly Exchanged[];
  readonly didServerEnd: boolean;
  readonly exit: { readonly code: number | null; readonly signal: string | null };
  readonly stderr: string;
  readonly records: string | undefined;
  readonly summary: string | undefined;
  readonly files: readonly string[];
  readonly leftovers: readonly string[];
  readonly stalled: string | undefined;
  readonly startedDay: string;
  readonly endedDay: string;
};

export type Violation = { readonly oracle: string; readonly detail: string };

export type Oracle = (transcript: Transcript) => readonly string[];

export function formatExcerpt(bytes: Uint8Array, length = 160): string {
  const text = Buffer.from(bytes.subarray(0, length)).toString();
  return JSON.stringify(bytes.length > length ? `${text}… (${bytes.length} bytes)` : text);
}

export function hasEndedInOrder({ ending, stalled }: Transcript): boolean {
  return stalled === undefined && (ending.kind === "eof" || ending.kind === "half-close");
}
