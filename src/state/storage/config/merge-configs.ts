import type { RawOption } from "./config-file.ts";
import type { ReadConfig } from "./read-configs.ts";

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
  const general = configs.flatMap((config) => entriesOf(config, undefined));
  const sections = server === undefined ? [] : configs.flatMap((one) => entriesOf(one, server));
  return new Map([...general, ...sections]);
}

function entriesOf(
  { place: { file, isImplicit }, layer }: ReadConfig,
  section: string | undefined,
): readonly (readonly [name: string, entry: ConfigEntry])[] {
  const options = section === undefined ? layer.general : layer.servers.get(section);
  const origin = { file, section, isImplicit };
  return [...(options ?? [])].map(([name, value]) => [name, { value, origin }]);
}

export function serversIn(configs: readonly ReadConfig[]): readonly string[] {
  return [...new Set(configs.flatMap(({ layer }) => [...layer.servers.keys()]))].toSorted();
}
