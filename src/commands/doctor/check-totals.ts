import { existsSync } from "node:fs";
import { UserError } from "#kit/errors.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { plural } from "#kit/text/numbers.ts";
import { shellWord } from "#kit/text/shell-word.ts";
import { broken, type Check, ok } from "./finding.ts";

const check = "day totals";

/** Without readable totals, `prune` removes nothing. */
export const checkTotals: Check = async ({ env }) => {
  const folder = stateFolder(env);
  if (folder === undefined) return [];
  const { readTotals, totalsPath } = await import("#state/storage/prune/totals-file.ts");
  const path = totalsPath(folder);
  if (!existsSync(path)) return [ok(check, "none yet; the first prune makes them")];
  try {
    const rows = readTotals(folder)?.totals.length ?? 0;
    return [ok(check, `${plural(rows, "row")} in ${path}`)];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [broken(check, error.message, `mv ${shellWord(path)} ${shellWord(`${path}.old`)}`)];
  }
};
