import { configPlaces, isOccupied, systemConfigFolder } from "#storage/config/config-path.ts";
import { locksDisable, readPolicy } from "#storage/config/policy.ts";
import { readConfigs } from "#storage/config/read-configs.ts";

/**
 * The system config that locks `MCP_METER_DISABLE`; undefined where none does, or it cannot be read: the way to turn
 * metering off must not depend on more than it has to. `folder` is that of the config.
 */
export async function disableLock(
  platform: string,
  folder: string = systemConfigFolder(platform),
): Promise<string | undefined> {
  const places = configPlaces(undefined, {}, folder).filter(isOccupied);
  if (places.length === 0) return undefined;
  try {
    const { configs } = readConfigs(places);
    const { policy } = readPolicy(configs, {});
    return locksDisable(policy) ? policy?.file : undefined;
  } catch {
    return undefined;
  }
}
