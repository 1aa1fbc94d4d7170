import {
  type ConfigLayer,
  type ConfigMistake,
  readConfigFile,
  readConfigLeniently,
} from "./config-file.ts";
import { type ConfigPlace, isOccupied } from "./config-path.ts";

/** A config file that was read. */
export type ReadConfig = { readonly place: ConfigPlace; readonly layer: ConfigLayer };

/** The config files that there are, in the order of their places, and their mistakes. */
export type ReadConfigs = {
  readonly configs: readonly ReadConfig[];
  readonly mistakes: readonly ConfigMistake[];
};

/** Reads the files at these places. Throws UserError for a mistake in the one that the command line names. */
export function readConfigs(places: readonly ConfigPlace[]): ReadConfigs {
  const configs: ReadConfig[] = [];
  const mistakes: ConfigMistake[] = [];
  for (const place of places.filter(isOccupied)) {
    const { file, isImplicit } = place;
    const read = isImplicit
      ? readConfigLeniently(file)
      : { layer: readConfigFile(file), mistakes: [] };
    configs.push({ place, layer: read.layer });
    mistakes.push(...read.mistakes);
  }
  return { configs, mistakes };
}
