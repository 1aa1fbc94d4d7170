import { configPlaces, isOccupied, systemConfigFolder } from "#state/storage/config/config-path.ts";
import type { ConfigMistake } from "#state/storage/config/config-file.ts";
import { type Distrust, examineTrust } from "#state/storage/config/config-trust.ts";
import { resolveConfig, type ResolvedConfig } from "../configured-arguments.ts";
import type { Patient } from "./finding.ts";

export type SystemPolicy = Pick<ResolvedConfig, "policy" | "options"> & {
  readonly file: string;
  readonly mistakes: readonly ConfigMistake[];
  readonly distrust: Distrust | undefined;
};

export function systemPolicy(
  { env, platform, run }: Pick<Patient, "env" | "platform" | "run">,
  folder: string = systemConfigFolder(platform),
): SystemPolicy | undefined {
  const places = configPlaces(undefined, {}, folder).filter(isOccupied);
  const [place] = places;
  if (!place) return undefined;
  // `run` takes no options without a command.
  const words = { operands: [], child: [""] };
  const resolved = resolveConfig({ command: run, words, explicit: {}, places }, env);
  const { configs, policy, options, mistakes } = resolved;
  const layer = configs[0]?.layer;
  const isUnusable =
    mistakes.length > 0 && (!layer || layer.general.size + layer.servers.size === 0);
  const isMeant =
    (layer?.locked.length ?? 0) > 0 || mistakes.some(({ what }) => /^locked\b/.test(what));
  if (!isUnusable && !isMeant) return undefined;
  const { file } = place;
  return { file, policy, options, mistakes, distrust: examineTrust(file) };
}
