import { join } from "node:path";
import { inWords } from "#error-words.ts";
import { stateFolder } from "#storage/folders.ts";
import { countersFile } from "#stores/index.ts";
import { plural } from "#text/numbers.ts";
import { shellWord } from "#text/shell-word.ts";
import { broken, type Check, ok, warning } from "./finding.ts";

const check = "budget counters";

/** The store of counters that sessions share. */
export const checkCounters: Check = async ({ env }) => {
  const folder = stateFolder(env);
  if (folder === undefined) return [];
  const path = join(folder, countersFile);
  const word = shellWord(path);
  const { examineStore } = await import("#stores/examine.ts");
  const state = examineStore(folder);
  switch (state.kind) {
    case "absent":
      return [ok(check, "none yet; budgets with a period from minute to month create them")];
    case "usable":
      return [ok(check, `${plural(state.counters, "counter")} in ${path}, layout ${state.layout}`)];
    case "busy":
      return [warning(check, `another process has locked ${path}`, `fuser -v ${word}`)];
    case "unusable":
      return [
        broken(check, `${path}: ${inWords(state.fault)}`, `mv ${word} ${shellWord(`${path}.old`)}`),
      ];
  }
};
