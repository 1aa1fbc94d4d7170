import type { LogHome } from "../imports/importer.ts";

// Undefined unless the variable holds an absolute path.
export function readFolder(env: LogHome["env"], variable: string): string | undefined {
  const folder = env[variable];
  return folder?.startsWith("/") === true ? folder.replace(/\/+$/, "") : undefined;
}

export function findConfigHome({ folder, env }: LogHome): string {
  return readFolder(env, "XDG_CONFIG_HOME") ?? `${folder}/.config`;
}

export function findDataHome({ folder, env }: LogHome): string {
  return readFolder(env, "XDG_DATA_HOME") ?? `${folder}/.local/share`;
}
