import {
  type ConfigLayer,
  type ConfigMistake,
  readConfigFile,
  readConfigLeniently,
} from "./config-file.ts";
import { UserError } from "#kit/errors.ts";
import { type ConfigPlace, isOccupied } from "./config-path.ts";
import { distrust } from "./config-trust.ts";
import { configFaults, configSentences } from "./sentences.ts";

export type ReadConfig = { readonly place: ConfigPlace; readonly layer: ConfigLayer };

export type ReadConfigs = {
  readonly configs: readonly ReadConfig[];
  readonly mistakes: readonly ConfigMistake[];
};

export function readConfigs(
  places: readonly ConfigPlace[],
  distrustOf: (file: string) => string | undefined = distrust,
): ReadConfigs {
  const configs: ReadConfig[] = [];
  const mistakes: ConfigMistake[] = [];
  for (const place of places.filter(isOccupied)) {
    const { file, isImplicit, kind } = place;
    const fault = kind === "system" ? distrustOf(file) : undefined;
    if (fault !== undefined) {
      mistakes.push({ file, fault, what: fault });
      continue;
    }
    const read = isImplicit
      ? readConfigLeniently(file)
      : { layer: readConfigFile(file), mistakes: [] };
    configs.push({ place, layer: read.layer });
    mistakes.push(...read.mistakes, ...foreignLocks(place, read.layer));
  }
  return { configs, mistakes };
}

/** A user's file locks nothing: the user could change it. Throws UserError if the command line names it. */
function foreignLocks(
  { file, kind, isImplicit }: ConfigPlace,
  { locked }: ConfigLayer,
): readonly ConfigMistake[] {
  if (kind === "system" || locked.length === 0) return [];
  const fault = configFaults.foreignLock();
  if (!isImplicit) throw new UserError(configSentences.configMalformed(file, fault));
  return [{ file, fault, what: "locked" }];
}
