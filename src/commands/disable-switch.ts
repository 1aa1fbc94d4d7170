import type { Io } from "#kit/io.ts";
import { attempt } from "#kit/errors.ts";
import {
  mustBeRead,
  listConfigLocations,
  locateSystemConfigFolder,
} from "#state/storage/config/config-locations.ts";

// The variable makes `run` a plain pass-through, unless `locked` in the system config contains "disable".
export const disableVariable = "MCP_METER_DISABLE";

export function isDisabled(env: Io["env"]): boolean {
  return !["", "0", "false", "no"].includes(env[disableVariable] ?? "");
}

// Returns the system config that locks `disable`. A system config that cannot be read locks nothing, so that
// `MCP_METER_DISABLE` still turns metering off.
export async function findConfigThatLocksDisable(
  platform: string,
  folder: string = locateSystemConfigFolder(platform),
): Promise<string | undefined> {
  const configLocations = listConfigLocations(undefined, {}, folder).filter(mustBeRead);
  if (configLocations.length === 0) return undefined;
  const { readConfigs } = await import("#state/storage/config/read-configs.ts");
  const { locksDisable, readPolicy } = await import("#state/storage/config/policy.ts");
  return attempt(() => {
    const { configs } = readConfigs(configLocations);
    const { policy } = readPolicy(configs, {});
    return locksDisable(policy) ? policy?.file : undefined;
  });
}
