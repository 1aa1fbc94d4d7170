import type { RawOption } from "./config-file.ts";
import type { ReadConfig } from "./read-configs.ts";

/** The place of a value: a file, and the section of a server in it; undefined for the part for every server. */
type ConfigOrigin = {
  readonly file: string;
  readonly section: string | undefined;
  /** True for a file that the command line does not name. */
  readonly isImplicit: boolean;
};

/** The value of an option, and its place. */
export type ConfigEntry = { readonly value: RawOption; readonly origin: ConfigOrigin };

/** The values of config files by option, for one server. */
export type MergedConfig = ReadonlyMap<string, ConfigEntry>;

/**
 * The values for a server: a later file overrides an earlier one option by option, and the sections of the server then
 * override the parts for every server. `server` is undefined for one without a name.
 */
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

/** The names of the servers that have a section of their own, sorted. */
export function serversIn(configs: readonly ReadConfig[]): readonly string[] {
  return [...new Set(configs.flatMap(({ layer }) => [...layer.servers.keys()]))].toSorted();
}
