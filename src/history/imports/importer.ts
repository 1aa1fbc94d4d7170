import type { JsonObject } from "#wire/json.ts";
import type { LogEvent } from "./log-event.ts";
import type { MemberParser } from "./member-parser.ts";

export type Importer = {
  readonly name: string;
  readonly serverNames: ServerNames;
  findFolders(home: UserHome): readonly LogFolder[];
  // For a client whose logs are in the user's projects.
  findFolderLists?(home: UserHome): readonly FolderList[];
  readonly queries?: readonly LogQuery[];
  // The values may be secrets: read member names only.
  findSettings?(home: UserHome): readonly ServerSettings[];
  readonly retention?: { readonly days: number; readonly setting: string };
  // Clauses about the format that no log of this client has confirmed.
  readonly unverified?: readonly string[];
  // Parses the lines of a log; without it, every member of a line is parsed.
  readonly lines?: MemberParser;
  // `path` is relative to the log folder, with `/`, as for the functions of `LogFolder`.
  open(path: string, utils: ReaderUtils): LogReader;
};

export type LogQuery = { readonly table: string; readonly sql: string };

export type UserHome = {
  readonly folder: string;
  // Empty if the user names a home folder, because the variables belong to another home.
  readonly env: Readonly<{ [name: string]: string | undefined }>;
  readonly platform: string;
};

export type ServerSettings = {
  readonly file: string;
  readonly form: "json" | "toml";
  readonly paths: readonly (readonly string[])[];
};

export type LogFolder = {
  readonly folder: string;
  // Undefined if the file is not a session.
  detectForm(path: string): LogForm | undefined;
  mayEnter?(path: string): boolean;
  // Files with equal keys are the same session, so only the first is read.
  makeKey?(path: string): string;
  // Files with equal keys probably share events. Without it, a file is read alone.
  makeGroupKey?(path: string): string;
};

// `logged`: the log states the server. The others split the name that joins server and tool: `guessed` at a known server or else
// at the first separator, `given` only at a known server, and leaves out calls of other servers.
export type ServerNames = "logged" | "guessed" | "given";

// A JSON file that names further folders.
export type FolderList = {
  readonly file: string;
  readonly parse: (list: unknown) => readonly LogFolder[];
};

export type LogForm = "lines" | "document" | "database";

// A string, or its UTF-8.
export type LogText = string | Buffer;

export type ReaderUtils = {
  emit(event: LogEvent): void;
  countBad(): void;
  countUnknown(): void;
  sha256(text: string): string;
  hashProject(folder: string): string;
  nameProject(folder: string): string | null;
  // False if only the numbers of requests and calls are needed.
  readonly measuresTexts: boolean;
  countTokens(text: LogText, model: string | null): number | null;
  // Only `validate` asks what else entered the context.
  readonly keepsEntries: boolean;
};

// Never throws, even for a damaged or hostile log.
export type LogReader = {
  take(line: JsonObject): void;
};
