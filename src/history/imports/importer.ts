import type { JsonObject } from "#wire/json.ts";
import type { LogEvent } from "./log-event.ts";
import type { MemberParser } from "./member-parser.ts";

export type Importer = {
  readonly name: string;
  readonly serverNames: ServerNames;
  findFolders(home: UserHome): readonly LogFolder[];
  // Present only for a client whose logs are in the folders of the user's projects.
  findFolderLists?(home: UserHome): readonly FolderList[];
  readonly queries?: readonly LogQuery[];
  // The files may hold secrets, so only the names of servers are kept.
  findSettings?(home: UserHome): readonly ServerSettings[];
  readonly retention?: { readonly days: number; readonly setting: string };
  // Phrases that users read: assumptions that no real log has confirmed, and gaps in the logs.
  readonly unverified?: readonly string[];
  // Parses only some members of a line. If absent, all are parsed.
  readonly lines?: MemberParser;
  // `path` is relative to the log folder, with `/` between names, as in `LogFolder`.
  open(path: string, utils: ReaderUtils): LogReader;
};

export type LogQuery = { readonly table: string; readonly sql: string };

export type UserHome = {
  readonly folder: string;
  // Empty if `folder` comes from `--from`: the user's variables apply only to the default home folder.
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
  detectForm(path: string): LogForm | undefined;
  mayEnter?(path: string): boolean;
  // Files with equal keys are the same session, so only the first is read.
  makeKey?(path: string): string;
  // Files with equal keys probably share events, so they are read together. If absent, each is read alone.
  makeGroupKey?(path: string): string;
};

// How the server of a call is found. `logged`: the log states the server, or separates it from the tool by two
// underscores. `guessed`: the logged name joins server and tool. It is split after a known server, or else at the first
// separator. `given`: the logged name is split after a known server. Without a known server, the call is left out.
export type ServerNames = "logged" | "guessed" | "given";

// A client's JSON file that names more log folders.
export type FolderList = {
  readonly file: string;
  readonly parse: (list: unknown) => readonly LogFolder[];
};

export type LogForm = "lines" | "document" | "database";

// A string, or its bytes in UTF-8.
export type LogText = string | Buffer;

export type ReaderUtils = {
  emit(event: LogEvent): void;
  countBad(): void;
  countUnknown(): void;
  sha256(text: string): string;
  hashProject(folder: string): string;
  nameProject(folder: string): string | null;
  // False if the caller needs only the numbers of requests and calls, not the sizes of their texts.
  readonly measuresTexts: boolean;
  countTokens(text: LogText, model: string | null): number | null;
  // True only for `validate`, which needs to know when texts outside MCP calls, such as prompts, entered the context.
  readonly keepsEntries: boolean;
};

// Never throws, even for a damaged or hostile log.
export type LogReader = {
  take(line: JsonObject): void;
};
