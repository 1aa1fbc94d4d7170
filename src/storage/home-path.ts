import { homeFolder, type FolderEnv } from "./folders.ts";

/**
 * Clients start servers without a shell, which would expand `~`. Undefined when the environment names no home.
 * `~name` stays.
 */
export function expandHome(path: string, env: FolderEnv): string | undefined {
  if (path !== "~" && !path.startsWith("~/")) return path;
  const home = homeFolder(env);
  return home === undefined ? undefined : `${home}${path.slice(1)}`;
}
