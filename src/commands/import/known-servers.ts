import type { Io } from "#kit/io.ts";
import { importsFolder, stateFolder } from "#state/storage/folders.ts";
import { RememberedServers } from "#state/storage/logs/remembered-servers.ts";

export function rememberedServers(env: Io["env"]): RememberedServers | undefined {
  const state = stateFolder(env);
  return state === undefined ? undefined : new RememberedServers(importsFolder(state));
}
