import type { OptionSet } from "./option-sets.ts";
import type { Ending, Speaker } from "./script.ts";

/** Bytes that the client wrote or received, in the order of its clock. */
export type Exchanged = { readonly by: Speaker; readonly bytes: Uint8Array };

/** Everything that was observed of one session, from outside. */
export type Transcript = {
  readonly set: OptionSet;
  readonly ending: Ending;
  /** Written by the client, and received by the server in its place. */
  readonly clientSent: Uint8Array;
  readonly serverGot: Uint8Array;
  readonly serverSent: Uint8Array;
  readonly clientGot: Uint8Array;
  /** Both directions as the client experienced them. */
  readonly atClient: readonly Exchanged[];
  /** True when the server was told that the client has closed its output. */
  readonly didServerEnd: boolean;
  readonly exit: { readonly code: number | null; readonly signal: string | null };
  readonly stderr: string;
  /** The record file; undefined when there is none. */
  readonly records: string | undefined;
  /** The summary file; undefined when there is none. */
  readonly summary: string | undefined;
  /** Files below the folder of the play, relative to it. */
  readonly files: readonly string[];
  /** Processes of the session that outlived it, by their names. */
  readonly leftovers: readonly string[];
  /** What the session waited for in vain; undefined when it did not. */
  readonly stalled: string | undefined;
  readonly startedDay: string;
  readonly endedDay: string;
};
