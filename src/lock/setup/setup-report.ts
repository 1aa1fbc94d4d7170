import type { ProfileEstimator } from "../profile.ts";

/** By setup.schema.json. */
export type SetupReport = {
  readonly schema_version: "1.0";
  readonly is_dry_run: boolean;
  /** Null for user settings alone. */
  readonly project: string | null;
  readonly clients: readonly SetupClient[];
  /** Same command, variables and folder. */
  readonly repeated: readonly (readonly ServerPlace[])[];
  readonly unreadable: readonly UnreadableSettings[];
  readonly omitted: number;
};

export type SetupClient = {
  readonly client: string;
  readonly name: string;
  readonly estimator: ProfileEstimator;
  /** Tokens. */
  readonly window: number;
  readonly servers: readonly SetupServer[];
  readonly total: SetupTotal;
};

export type SetupServer = {
  readonly server: string;
  readonly file: string;
  readonly scope: "user" | "project";
  readonly status: "profiled" | "failed" | "not_started" | "remote";
  readonly cost: (SetupCost & OmittedTools) | null;
  /** Null when profiled or never started. */
  readonly failure: SetupFailure | null;
};

export type SetupFailure = {
  readonly kind: string;
  /** A clause about "it"; never a text of the server or its entry. */
  readonly reason: string;
};

/** Tools that the settings leave out; in no other number. */
type OmittedTools = { readonly omitted_tools: number };

/** As `profile` counts them for the same client. */
export type SetupCost = {
  readonly tools: number;
  /** As listed. */
  readonly definitions_tokens: number;
  readonly instructions_tokens: number;
  /** In the context before the first prompt. */
  readonly resident_tokens: number;
  /** Percent of the window. */
  readonly percent_window: number;
  readonly is_deferred: boolean;
};

/** Profiled servers only. */
export type SetupTotal = Omit<SetupCost, "is_deferred"> & {
  readonly servers: number;
  /** Tokens of having any tool, counted once here and in each server; 0 where unknown. */
  readonly list_tokens: number;
};

export type ServerPlace = { readonly client: string; readonly server: string };

export type UnreadableSettings = {
  readonly client: string;
  readonly file: string;
  /** A system error code or a clause, never content of the file. */
  readonly fault: string;
  readonly line: number | null;
};
