import type { LogHome } from "#imports/importer.ts";

/**
 * How an entry states the program that the client starts: `command` as text with `args`, `cmd` as text with `args`, `command` as a
 * list of all words, or `command` as an object of `path` and `args`.
 */
export type EntryForm = "command" | "cmd" | "list" | "path";

/** The settings of one user in which an MCP client keeps its servers. */
export type ClientSettings = {
  readonly name: string;
  /** Absolute paths of the files; a client that reads several has servers from all of them. Never files of a project. */
  files(home: LogHome): readonly string[];
  /** JSON may have comments. */
  readonly form: "json" | "toml" | "yaml";
  /** Names of the members that lead to the servers; `*` stands for any. */
  readonly paths: readonly (readonly string[])[];
  readonly entries: readonly EntryForm[];
  /** Paths of its files in a project, from the project's folder; the servers are at the same `paths`. */
  readonly projectFiles: readonly string[];
  /** A folder in the home and in a project, of which it reads every file in its form. */
  readonly blockFolder?: string;
  readonly restart: RestartRule;
};

/**
 * When a client reads changed settings: at the start of the application, of a session, or when its list of servers is
 * reloaded.
 */
type RestartRule = "application" | "session" | "servers";
