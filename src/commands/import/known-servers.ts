import type { Io } from "#io.ts";
import { importsFolder, stateFolder } from "#storage/folders.ts";
import { RememberedServers } from "#storage/logs/remembered-servers.ts";

export function rememberedServers(env: Io["env"]): RememberedServers | undefined {
  const state = stateFolder(env);
  return state === undefined ? undefined : new RememberedServers(importsFolder(state));
}
