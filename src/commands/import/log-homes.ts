import { UserError } from "#kit/errors.ts";
import type { LogHome } from "#history/imports/importer.ts";
import type { Io } from "#kit/io.ts";
import { homeFolder } from "#state/storage/folders.ts";
import type { LogOptions } from "./log-options.ts";
import { importSentences } from "./sentences.ts";

/** Named homes are read without this user's variables. Throws UserError when the environment names no home. */
export function logHomes(
  { homes }: Pick<LogOptions, "homes">,
  { env, platform }: Pick<Io, "env" | "platform">,
): readonly LogHome[] {
  if (homes.length > 0) return homes.map((folder) => ({ folder, env: {}, platform }));
  const folder = homeFolder(env);
  if (folder === undefined) throw new UserError(importSentences.logsHomeMissing());
  return [{ folder, env, platform }];
}

export function homesNamed(homes: readonly LogHome[]): string {
  return homes.map(({ folder }) => folder).join('", "');
}
