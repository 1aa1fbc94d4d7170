import type { ProfileEstimator } from "../profile.ts";

/** The cost of all servers of a user's clients before the first prompt, by setup.schema.json. */
export type SetupReport = {
  readonly schema_version: "1.0";
  /** True when no server was started, because the start was not confirmed. */
  readonly is_dry_run: boolean;
  /** Folder of the project whose settings are included; null for the user's own settings alone. */
  readonly project: string | null;
  readonly clients: readonly SetupClient[];
  /** Servers that are configured more than once, with the same command, variables and folder. */
  readonly repeated: readonly (readonly ServerPlace[])[];
  /** Settings that cannot be read. */
  readonly unreadable: readonly UnreadableSettings[];
  /** Servers beyond the most that are started. */
  readonly omitted: number;
};

/** A client with its servers. */
export type SetupClient = {
  readonly client: string;
  readonly name: string;
  readonly estimator: ProfileEstimator;
  /** Context window in tokens, of which shares are computed. */
  readonly window: number;
  readonly servers: readonly SetupServer[];
  readonly total: SetupTotal;
};

/** One server in the settings of a client. */
export type SetupServer = {
  /** Its name there. */
  readonly server: string;
  readonly file: string;
  readonly scope: "user" | "project";
  readonly status: "profiled" | "failed" | "not_started" | "remote";
  /** Null unless it was profiled. */
  readonly cost: (SetupCost & OmittedTools) | null;
  /** Null for a server that was profiled, and for one whose start was not tried. */
  readonly failure: SetupFailure | null;
};

/** Why a server was not profiled. */
export type SetupFailure = {
  /** A word for programs. */
  readonly kind: string;
  /** A clause about "it". Never a text of the server, or of its entry. */
  readonly reason: string;
};

/** Tools that the server lists and the settings leave out: they are in no other number. */
type OmittedTools = { readonly omitted_tools: number };

/** Tokens of one server, as `profile` counts them for the same client. */
export type SetupCost = {
  readonly tools: number;
  /** The definitions as listed. */
  readonly definitions_tokens: number;
  readonly instructions_tokens: number;
  /** The part of both that is in the context before the first prompt. */
  readonly resident_tokens: number;
  /** Share of that part in the window, in percent. */
  readonly percent_window: number;
  /** True when the client loads definitions on demand. */
  readonly is_deferred: boolean;
};

/** Tokens of all servers of a client that were profiled. */
export type SetupTotal = Omit<SetupCost, "is_deferred"> & {
  readonly servers: number;
  /** Tokens of having any tool at all, which each server's cost has and the total has once; 0 where they are not known. */
  readonly list_tokens: number;
};

/** A server by its client. */
export type ServerPlace = { readonly client: string; readonly server: string };

/** A file of settings that cannot be read. */
export type UnreadableSettings = {
  readonly client: string;
  readonly file: string;
  /** A system error code or a clause, never a part of the file. */
  readonly fault: string;
  readonly line: number | null;
};
