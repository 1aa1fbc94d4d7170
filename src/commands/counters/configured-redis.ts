import type { Io } from "#kit/io.ts";
import { configPlaces, systemConfigFolder } from "#state/storage/config/config-path.ts";
import type { RedisPlace } from "#state/stores/redis/address.ts";
import { resolveConfig } from "../configured-arguments.ts";
import type { RawOptions } from "../command.ts";
import { parseCounterOptions } from "./counter-options.ts";
import { environmentOptions } from "../environment.ts";
import { namedConfig } from "../named-config.ts";
import { runCommand } from "../run/index.ts";

/** `given` options override even locked ones: reading other counters evades no budget. Undefined for this user's file. Throws UserError for a mistake. */
export function configuredRedis(
  { env, platform }: Pick<Io, "env" | "platform">,
  given: RawOptions = {},
): RedisPlace | undefined {
  const explicit = environmentOptions(runCommand.options, env);
  const places = configPlaces(namedConfig(explicit, {}), env, systemConfigFolder(platform));
  // `run` takes no options without a command.
  const words = { operands: [], child: [""] };
  const { options } = resolveConfig({ command: runCommand, words, explicit, places }, env);
  return parseCounterOptions({ ...options, ...given });
}
