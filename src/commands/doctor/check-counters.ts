import { join } from "node:path";
import { UserError, recover } from "#kit/errors.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import { countersFile } from "#state/stores/store.ts";
import { type RedisLocation, formatHostPort } from "#state/stores/redis/address.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import { findConfiguredRedis } from "../counters/read-counters.ts";
import { broken, type Examine, ok, type Installation, warning } from "./finding.ts";
import { describeRedisCause, redisSentences } from "#state/stores/sentences.ts";
import { describeReason } from "#kit/sentences.ts";

const countersCheck = "budget counters";

export const checkCounters: Examine = async (installation) => {
  // An error in an environment variable is ignored here, because `checkConfig` reports it.
  const redis = recover(
    () => findConfiguredRedis(installation),
    () => undefined,
  );
  return redis ? checkRedis(redis) : checkFile(installation.env);
};

const permissions = "'~mcp-meter:*' +@read +@write +@scripting +@connection +time";

async function checkRedis(redis: RedisLocation): Promise<readonly Finding[]> {
  const { examineRedis } = await import("#state/stores/redis/examine-redis.ts");
  const address = formatHostPort(redis.address);
  const state = await examineRedis(redis);
  switch (state.kind) {
    case "unusable": {
      const fix = state.fault.startsWith("NOPERM") ? suggestPermissions(redis) : "mcp-meter config";
      const cause = describeRedisCause(state.fault);
      return [broken(countersCheck, `The Redis at ${address} cannot be used: ${cause}`, fix)];
    }
    case "forbidden":
      return [
        broken(
          countersCheck,
          `The Redis at ${address} does not let the user of this connection run ${state.commands.join(", ")}, which budget counters need`,
          suggestPermissions(redis),
        ),
      ];
    case "usable":
      return [await reportCounters(redis, address), ...warnOfEviction(redis, state.evictionPolicy)];
  }
}

async function reportCounters(redis: RedisLocation, address: string): Promise<Finding> {
  const { openRedisList } = await import("#state/stores/index.ts");
  try {
    const store = await openRedisList(redis);
    const counters = await Promise.try(() => store.list()).finally(() => store.close());
    const name = `the Redis at ${address}, fleet ${redis.fleet}`;
    return ok(countersCheck, `${pluralize(counters.length, "counter")} in ${name}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return broken(countersCheck, error.message, "mcp-meter config");
  }
}

function warnOfEviction(redis: RedisLocation, policy: string | undefined): readonly Finding[] {
  if (policy === undefined) return [];
  const fix = `${buildRedisCli(redis)} CONFIG SET maxmemory-policy noeviction`;
  return [
    warning(countersCheck, redisSentences.redisEvicts(formatHostPort(redis.address), policy), fix),
  ];
}

function suggestPermissions(redis: RedisLocation): string {
  return `${buildRedisCli(redis)} ACL SETUSER NAME ${permissions}`;
}

function buildRedisCli({ address }: RedisLocation): string {
  const { host, port, isEncrypted } = address;
  return `redis-cli -h ${quoteShellWord(host)} -p ${port}${isEncrypted ? " --tls" : ""}`;
}

async function checkFile(env: Installation["env"]): Promise<readonly Finding[]> {
  const folder = findStateFolder(env);
  if (folder === undefined) return [];
  const path = join(folder, countersFile);
  const quotedPath = quoteShellWord(path);
  const { examineStore } = await import("#state/stores/sqlite/sqlite-file.ts");
  const state = examineStore(folder);
  switch (state.kind) {
    case "absent":
      return [
        ok(countersCheck, "none yet; budgets with a period from minute to month create them"),
      ];
    case "usable":
      return [
        ok(
          countersCheck,
          `${pluralize(state.counters, "counter")} in ${path}, layout ${state.layout}`,
        ),
      ];
    case "busy":
      return [
        warning(countersCheck, `another process has locked ${path}`, `fuser -v ${quotedPath}`),
      ];
    case "unusable":
      return [
        broken(
          countersCheck,
          `${path}: ${describeReason(state.fault)}`,
          suggestRepair({ folder, path }, state.fault),
        ),
      ];
  }
}

const faultsCuredByMoving =
  /^(?:SQLITE_CORRUPT|SQLITE_NOTADB|ELOOP$|its content is damaged|it is a |it was written by another version)/;

// Moving the file loses its counters. So `mv` is suggested only for a fault in the file itself.
export function suggestRepair(
  { folder, path }: { readonly folder: string; readonly path: string },
  fault: string,
): string {
  const [quotedFolder, quotedPath] = [quoteShellWord(folder), quoteShellWord(path)];
  if (faultsCuredByMoving.test(fault)) return `mv ${quotedPath} ${quoteShellWord(`${path}.old`)}`;
  if (fault === "EACCES") return `chmod u+rwx ${quotedFolder} && chmod u+rw ${quotedPath}`;
  if (/^(?:ENOSPC|SQLITE_FULL|EROFS)$/.test(fault)) return `df -h ${quotedFolder}`;
  return `ls -la ${quotedFolder}`;
}
