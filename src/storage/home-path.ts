import { homeFolder, type FolderEnv } from "./folders.ts";

/**
 * A path with `~` at its beginning replaced by the user's home, as a shell does: clients start servers without one.
 * Undefined when the environment names no home. `~name` is not replaced.
 */
export function expandHome(path: string, env: FolderEnv): string | undefined {
  if (path !== "~" && !path.startsWith("~/")) return path;
  const home = homeFolder(env);
  return home === undefined ? undefined : `${home}${path.slice(1)}`;
}
