import type { JsonObject } from "#wire/json.ts";
import type { LogEvent } from "./log-event.ts";

/** A client whose logs can be read. Knows the client's format and no file. */
export type Importer = {
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The folders in which its sessions are, below a home. */
  places(home: LogHome): readonly LogPlace[];
  /** For clients that keep a database: the queries whose rows are read, one after another. */
  readonly queries?: readonly LogQuery[];
  /** Its settings with the names of servers. They may hold secrets: only names of members are used. */
  settings?(home: LogHome): readonly ServerSettings[];
  /** Its rule for old sessions, where it deletes them by default. */
  readonly retention?: { readonly days: number; readonly setting: string };
  /** Facts about the format that no log of the client has confirmed, each a clause. */
  readonly unverified?: readonly string[];
  /** Reads the lines of one file, beginning at the state that an earlier reader of it ended with. */
  open(file: LogFacts, tools: ReaderTools, state?: unknown): LogReader;
};

/** A query for rows of one table. A reader gets each row as `{table, row}`. */
export type LogQuery = { readonly table: string; readonly sql: string };

/** A home folder and the environment of its user. */
export type LogHome = {
  /** Absolute. */
  readonly folder: string;
  /** Empty when the user names the home: variables then belong to another one. */
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly platform: string;
};

/** A file whose members at some paths are servers by name. */
export type ServerSettings = {
  /** Absolute. */
  readonly file: string;
  readonly form: "json" | "toml";
  /** Names of members; `*` stands for any. */
  readonly paths: readonly (readonly string[])[];
};

/** A folder with the sessions of a client. */
export type LogPlace = {
  /** Absolute. */
  readonly folder: string;
  /**
   * The form of a file: `lines` of JSON, one JSON `document`, or an SQLite `database`; undefined when it is not a session.
   * `path` is relative to the folder, with `/`.
   */
  form(path: string): LogForm | undefined;
  /** False for a folder below that need not be searched, by its path relative to this one. Without it, all are. */
  enters?(path: string): boolean;
  /** Files with the same key are the same session: the first one is read. Without it, every file is read. */
  key?(path: string): string;
};

/** The form of a file with sessions. */
export type LogForm = "lines" | "document" | "database";

/** A file as a reader gets it. */
export type LogFacts = {
  /** Relative to the folder of its place, with `/`. */
  readonly path: string;
};

/** The world of a reader. */
export type ReaderTools = {
  emit(event: LogEvent): void;
  /** Counts a row with content that is not JSON; such lines never reach a reader. */
  countBad(): void;
  /** Counts a record of an unknown type. */
  countUnknown(): void;
  /** SHA-256 of a text, hexadecimal. */
  sha256(text: string): string;
  /** Hash of the name of a folder, by the key of this installation. */
  projectHash(folder: string): string;
  /** Base name of a folder; null unless the user wants names of projects. */
  projectName(folder: string): string | null;
  /** Tokens of a text for a model; null when tokens are not counted. */
  countTokens(text: string, model: string | null): number | null;
};

/** Reads one file. Never throws, however the content is. */
export type LogReader = {
  /** True when a line needs no parsing, judged by its bytes. Without it, every line is parsed. */
  skips?(line: Uint8Array): boolean;
  /** Takes a line, or the whole document, as its object. */
  take(line: JsonObject): void;
  /** All that the reader of the rest of a file that grows needs, as a small JSON value. */
  state(): unknown;
};
