import { lstatSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "#os/error-code.ts";
import { configFolder, type FolderEnv } from "../folders.ts";

/** A file that may configure mcp-meter. */
export type ConfigPlace = {
  readonly file: string;
  /** `system` is for all users of the machine, `user` is the user's own, `named` the one named in its place. */
  readonly kind: "system" | "user" | "named";
  /** True for a file that the command line does not name: a mistake in it never stops a server. */
  readonly isImplicit: boolean;
};

/** The config file that an option names: on the command line, or by its variable. */
export type NamedConfig = { readonly file: string; readonly isOnCommandLine: boolean };

/**
 * The folder of the config for all users of a machine. It is not an option, and on Windows not read from %ProgramData%: a
 * variable could name a hostile one.
 */
export function systemConfigFolder(platform: string): string {
  if (platform === "darwin") return "/Library/Application Support/mcp-meter";
  return platform === "win32" ? "C:\\ProgramData\\mcp-meter" : "/etc/mcp-meter";
}

/**
 * The places of config files, the one that overrides the others last: that of the system, then the named one, else the
 * user's own. Never a file of the working directory: a hostile repository must not configure the meter.
 */
export function configPlaces(
  named: NamedConfig | undefined,
  env: FolderEnv,
  systemFolder: string,
): readonly ConfigPlace[] {
  const system = { file: join(systemFolder, fileName), kind: "system", isImplicit: true } as const;
  if (named) {
    const { file, isOnCommandLine } = named;
    return [system, { file, kind: "named", isImplicit: !isOnCommandLine }];
  }
  const folder = configFolder(env);
  if (folder === undefined) return [system];
  return [system, { file: join(folder, fileName), kind: "user", isImplicit: true }];
}

const fileName = "config.json";

/** True when a place must be read: the user named it, or there is a file, be it one that cannot be read. */
export function isOccupied({ file, kind }: ConfigPlace): boolean {
  if (kind === "named") return true;
  try {
    // A link to nothing is there: its owner expects a config.
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return errorCode(error) !== "ENOTDIR";
  }
}
