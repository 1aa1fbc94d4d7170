import type { Io } from "#io.ts";
import { importsFolder, stateFolder } from "#storage/folders.ts";
import { RememberedServers } from "#storage/logs/remembered-servers.ts";

/** Names of servers that earlier imports were given; undefined when the environment names no place for them. */
export function rememberedServers(env: Io["env"]): RememberedServers | undefined {
  const state = stateFolder(env);
  return state === undefined ? undefined : new RememberedServers(importsFolder(state));
}
