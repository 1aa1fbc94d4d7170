import { join } from "node:path";

/** The environment variables that say where our folders are. */
export type FolderEnv = Readonly<{ [name: string]: string | undefined }>;

/** Our folder for files that outlive a session; undefined when the environment names no place for it. */
export function stateFolder(env: FolderEnv): string | undefined {
  return ownFolder(env, "XDG_STATE_HOME", [".local", "state"]);
}

/** The folder of imported histories in a state folder. */
export function importsFolder(state: string): string {
  return join(state, "imports");
}

/** Our folder for the user's configuration; undefined when the environment names no place for it. */
export function configFolder(env: FolderEnv): string | undefined {
  return ownFolder(env, "XDG_CONFIG_HOME", [".config"]);
}

function ownFolder(
  env: FolderEnv,
  variable: string,
  belowHome: readonly string[],
): string | undefined {
  const base = absolute(env[variable]);
  if (base !== undefined) return join(base, "mcp-meter");
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ...belowHome, "mcp-meter");
}

/** The user's home; undefined when the environment names none. */
export function homeFolder(env: FolderEnv): string | undefined {
  return absolute(env["HOME"] ?? env["USERPROFILE"]);
}

/** The XDG specification says that relative paths in its variables are ignored. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path))
    ? path
    : undefined;
}
