import { lstatSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { findConfigFolder, type FolderEnv } from "../folders.ts";

export type ConfigLocation = {
  readonly file: string;
  readonly kind: "system" | "user" | "named";
  // True unless the command line names the file.
  readonly isImplicit: boolean;
};

export type NamedConfig = { readonly file: string; readonly isOnCommandLine: boolean };

// The path is fixed, even on Windows: %ProgramData% could name a hostile folder.
export function locateSystemConfigFolder(platform: string): string {
  if (platform === "darwin") return "/Library/Application Support/mcp-meter";
  return platform === "win32" ? "C:\\ProgramData\\mcp-meter" : "/etc/mcp-meter";
}

// A later file overrides the settings of an earlier file, but not the locked settings of the system file. The working
// directory is not searched: a hostile repository must not configure the meter.
export function listConfigLocations(
  named: NamedConfig | undefined,
  env: FolderEnv,
  systemFolder: string,
): readonly ConfigLocation[] {
  const system = { file: join(systemFolder, fileName), kind: "system", isImplicit: true } as const;
  if (named) {
    const { file, isOnCommandLine } = named;
    return [system, { file, kind: "named", isImplicit: !isOnCommandLine }];
  }
  const folder = findConfigFolder(env);
  if (folder === undefined) return [system];
  return [system, { file: join(folder, fileName), kind: "user", isImplicit: true }];
}

const fileName = "config.json";

export function mustBeRead({ file, kind }: ConfigLocation): boolean {
  if (kind === "named") return true;
  try {
    // A dangling link must be read too: its owner expects a config.
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return readErrorCode(error) !== "ENOTDIR";
  }
}

type Options = Readonly<{ [name: string]: unknown }>;

export function findNamedConfig(options: Options, flags: Options): NamedConfig | undefined {
  const { config: file } = options;
  if (typeof file !== "string" || file === "") return undefined;
  return { file, isOnCommandLine: flags["config"] !== undefined };
}
