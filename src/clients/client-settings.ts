import type { LogHome } from "#history/imports/importer.ts";

/** `command` as text with `args`, `cmd` as text with `args`, `command` as a list of all words, or `command` as an object of `path` and `args`. */
export type EntryForm = "command" | "cmd" | "list" | "path";

export type ClientSettings = {
  readonly name: string;
  files(home: LogHome): readonly string[];
  readonly form: "json" | "toml" | "yaml";
  readonly paths: readonly (readonly string[])[];
  readonly entries: readonly EntryForm[];
  readonly projectFiles: readonly string[];
  readonly blockFolder?: string;
  readonly restart: RestartRule;
};

/** When a client reads changed settings: at the start of the application, of a session, or when servers are reloaded. */
type RestartRule = "application" | "session" | "servers";
