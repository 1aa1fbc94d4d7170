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

export function namedFolder({ env }: LogHome, variable: string, usual: string): string {
  const named = env[variable];
  const isAbsolute =
    named !== undefined && (named.startsWith("/") || /^[A-Za-z]:[\\/]/.test(named));
  return isAbsolute ? named.replace(/[\\/]+$/, "") : usual;
}

export function configHome(home: LogHome): string {
  return namedFolder(home, "XDG_CONFIG_HOME", `${home.folder}/.config`);
}

export function applicationFolder(home: LogHome): string {
  const { folder, platform } = home;
  if (platform === "darwin") return `${folder}/Library/Application Support`;
  if (platform === "win32") return namedFolder(home, "APPDATA", `${folder}/AppData/Roaming`);
  return configHome(home);
}
