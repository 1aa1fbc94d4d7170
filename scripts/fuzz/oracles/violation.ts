import type { Transcript } from "../transcript.ts";

/** A broken promise: the oracle that noticed it, and what it noticed. */
export type Violation = { readonly oracle: string; readonly detail: string };

/** Compares what was observed of one session with one promise. */
export type Oracle = (transcript: Transcript) => readonly string[];

/** The beginning of some bytes, for a person. */
export function excerpt(bytes: Uint8Array, length = 160): string {
  const text = Buffer.from(bytes.subarray(0, length)).toString();
  return JSON.stringify(bytes.length > length ? `${text}… (${bytes.length} bytes)` : text);
}

/** True when the session ended by itself, so that everything has arrived that could. */
export function endedInOrder({ ending, stalled }: Transcript): boolean {
  return stalled === undefined && (ending.kind === "eof" || ending.kind === "half-close");
}
