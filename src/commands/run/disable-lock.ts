import { configPlaces, isOccupied, systemConfigFolder } from "#state/storage/config/config-path.ts";
import { locksDisable, readPolicy } from "#state/storage/config/policy.ts";
import { readConfigs } from "#state/storage/config/read-configs.ts";

/** Undefined also if the config cannot be read: turning metering off must depend on as little as possible. */
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
