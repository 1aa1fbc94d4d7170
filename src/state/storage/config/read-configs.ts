import { examineTrust } from "./config-trust.ts";
import {
  type ConfigLayer,
  type ConfigMistake,
  readConfigFile,
  readConfigLeniently,
  type RawOption,
} from "./config-file.ts";
import { UserError } from "#kit/errors.ts";
import { type ConfigLocation, mustBeRead } from "./config-locations.ts";
import { configFaults, configSentences } from "../sentences.ts";

export type ReadConfig = { readonly location: ConfigLocation; readonly layer: ConfigLayer };

type ReadConfigs = {
  readonly configs: readonly ReadConfig[];
  readonly mistakes: readonly ConfigMistake[];
};

export function readConfigs(
  locations: readonly ConfigLocation[],
  findTrustFault: (file: string) => string | undefined = (file) => examineTrust(file)?.fault,
): ReadConfigs {
  const configs: ReadConfig[] = [];
  const mistakes: ConfigMistake[] = [];
  for (const location of locations.filter(mustBeRead)) {
    const { file, isImplicit, kind } = location;
    const fault = kind === "system" ? findTrustFault(file) : undefined;
    if (fault !== undefined) {
      mistakes.push({ file, fault, cause: fault });
      continue;
    }
    const read = isImplicit
      ? readConfigLeniently(file)
      : { layer: readConfigFile(file), mistakes: [] };
    configs.push({ location, layer: read.layer });
    mistakes.push(...read.mistakes, ...rejectUserLocks(location, read.layer));
  }
  return { configs, mistakes };
}

// Only the system config may lock options, because users can edit the other files.
function rejectUserLocks(
  { file, kind, isImplicit }: ConfigLocation,
  { locked }: ConfigLayer,
): readonly ConfigMistake[] {
  if (kind === "system" || locked.length === 0) return [];
  const fault = configFaults.foreignLock();
  if (!isImplicit) throw new UserError(configSentences.configMalformed(file, fault));
  return [{ file, fault, cause: "locked" }];
}

type ConfigOrigin = {
  readonly file: string;
  readonly section: string | undefined;
  readonly isImplicit: boolean;
};

export type ConfigEntry = { readonly value: RawOption; readonly origin: ConfigOrigin };

export type MergedConfig = ReadonlyMap<string, ConfigEntry>;

export function mergeConfigs(
  configs: readonly ReadConfig[],
  server: string | undefined,
): MergedConfig {
  const general = configs.flatMap((config) => listEntries(config, undefined));
  const sections =
    server === undefined ? [] : configs.flatMap((config) => listEntries(config, server));
  return new Map([...general, ...sections]);
}

export function listEntries(
  { location: { file, isImplicit }, layer }: ReadConfig,
  section: string | undefined,
): readonly (readonly [name: string, entry: ConfigEntry])[] {
  const options = section === undefined ? layer.general : layer.servers.get(section);
  const origin = { file, section, isImplicit };
  return [...(options ?? [])].map(([name, value]) => [name, { value, origin }]);
}

export function listServers(configs: readonly ReadConfig[]): readonly string[] {
  return [...new Set(configs.flatMap(({ layer }) => [...layer.servers.keys()]))].toSorted();
}
