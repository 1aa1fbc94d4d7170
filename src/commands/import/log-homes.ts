import { sentences, UserError } from "#errors.ts";
import type { LogHome } from "#imports/importer.ts";
import type { Io } from "#io.ts";
import { homeFolder } from "#storage/folders.ts";
import type { LogOptions } from "./log-options.ts";

/**
 * The homes whose logs are read: those that the user named, without the variables of this one, or the user's own. Throws
 * UserError when the environment names none.
 */
export function logHomes(
  { homes }: Pick<LogOptions, "homes">,
  { env, platform }: Pick<Io, "env" | "platform">,
): readonly LogHome[] {
  if (homes.length > 0) return homes.map((folder) => ({ folder, env: {}, platform }));
  const folder = homeFolder(env);
  if (folder === undefined) throw new UserError(sentences.logsHomeMissing());
  return [{ folder, env, platform }];
}

/** The folders of homes for a sentence that quotes them. */
export function homesNamed(homes: readonly LogHome[]): string {
  return homes.map(({ folder }) => folder).join('", "');
}
