import { join } from "node:path";
import { inWords, UserError } from "#kit/errors.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { countersFile } from "#state/stores/index.ts";
import { type RedisPlace, shownAddress } from "#state/stores/redis/address.ts";
import { plural } from "#kit/text/numbers.ts";
import { shellWord } from "#kit/text/shell-word.ts";
import { configuredRedis } from "../counters/read-counters.ts";
import { broken, type Check, ok, type Patient, warning } from "./finding.ts";
import { redisSentences } from "#state/stores/redis/sentences.ts";

const check = "budget counters";

export const checkCounters: Check = async (patient) => {
  const redis = redisOf(patient);
  return redis ? checkRedis(redis) : checkFile(patient.env);
};

/** The check of the config reports a mistake in a variable already. */
function redisOf(patient: Patient): RedisPlace | undefined {
  try {
    return configuredRedis(patient);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}

/** As the documents recommend, for a dedicated user. */
const permissions = "'~mcp-meter:*' +@read +@write +@scripting +@connection +time";

async function checkRedis(place: RedisPlace): Promise<readonly Finding[]> {
  const { examineRedis } = await import("#state/stores/redis/listed-counters.ts");
  const address = shownAddress(place.address);
  const state = await examineRedis(place);
  switch (state.kind) {
    case "unusable": {
      const fix = state.fault.startsWith("NOPERM") ? permissionFix(place) : "mcp-meter config";
      return [broken(check, redisSentences.redisUnreadable(address, state.fault), fix)];
    }
    case "forbidden":
      return [broken(check, forbidden(address, state.commands), permissionFix(place))];
    case "usable":
      return [await countedFinding(place, address), ...evictionFindings(place, state.eviction)];
  }
}

async function countedFinding(place: RedisPlace, address: string): Promise<Finding> {
  const { openRedisList } = await import("#state/stores/index.ts");
  try {
    const store = await openRedisList(place);
    const counters = await store.list();
    store.close();
    const name = `the Redis at ${address}, fleet ${place.fleet}`;
    return ok(check, `${plural(counters.length, "counter")} in ${name}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return broken(check, error.message, "mcp-meter config");
  }
}

function evictionFindings(place: RedisPlace, policy: string | undefined): readonly Finding[] {
  if (policy === undefined) return [];
  const fix = `${clientOf(place)} CONFIG SET maxmemory-policy noeviction`;
  return [warning(check, redisSentences.redisEvicts(shownAddress(place.address), policy), fix)];
}

function permissionFix(place: RedisPlace): string {
  return `${clientOf(place)} ACL SETUSER NAME ${permissions}`;
}

/** For an administrator, who adds user and password. */
function clientOf({ address }: RedisPlace): string {
  const { host, port, isEncrypted } = address;
  return `redis-cli -h ${shellWord(host)} -p ${port}${isEncrypted ? " --tls" : ""}`;
}

async function checkFile(env: Patient["env"]): Promise<readonly Finding[]> {
  const folder = stateFolder(env);
  if (folder === undefined) return [];
  const path = join(folder, countersFile);
  const word = shellWord(path);
  const { examineStore } = await import("#state/stores/examine.ts");
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

function forbidden(address: string, commands: readonly string[]): string {
  return `The Redis at ${address} does not let its user run ${commands.join(", ")}, which budget counters need`;
}
