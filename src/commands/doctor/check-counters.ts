import { join } from "node:path";
import { inWords } from "#error-words.ts";
import { UserError } from "#errors.ts";
import type { Finding } from "#renderers/documents/doctor.ts";
import { stateFolder } from "#storage/folders.ts";
import { countersFile } from "#stores/index.ts";
import type { RedisPlace } from "#stores/redis/address.ts";
import { plural } from "#text/numbers.ts";
import { shellWord } from "#text/shell-word.ts";
import { configuredRedis } from "../counters/configured-redis.ts";
import { broken, type Check, ok, type Patient, warning } from "./finding.ts";

const check = "budget counters";

/** The store of counters that sessions share. */
export const checkCounters: Check = async (patient) => {
  const redis = redisOf(patient);
  return redis ? checkRedis(redis) : checkFile(patient.env);
};

/** A mistake in a variable is a finding of the config already. */
function redisOf(patient: Patient): RedisPlace | undefined {
  try {
    return configuredRedis(patient);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}

async function checkRedis(place: RedisPlace): Promise<readonly Finding[]> {
  const { openRedisList } = await import("#stores/index.ts");
  const { shownAddress } = await import("#stores/redis/address.ts");
  const name = `the Redis at ${shownAddress(place.address)}, fleet ${place.fleet}`;
  try {
    const store = await openRedisList(place);
    const counters = await store.list();
    store.close();
    return [ok(check, `${plural(counters.length, "counter")} in ${name}`)];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [broken(check, error.message, "mcp-meter config")];
  }
}

async function checkFile(env: Patient["env"]): Promise<readonly Finding[]> {
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
}
