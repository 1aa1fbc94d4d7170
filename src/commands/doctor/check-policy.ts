import { UserError } from "#errors.ts";
import { configPlaces, isOccupied, systemConfigFolder } from "#storage/config/config-path.ts";
import { locksDisable, readPolicy } from "#storage/config/policy.ts";
import { readConfigs } from "#storage/config/read-configs.ts";
import type { ShownOption } from "#renderers/documents/config.ts";
import { configReport } from "../config/config-report.ts";
import { type Check, ok, type Patient } from "./finding.ts";

const check = "policy";

/** The options that the config of the system locks, with their values. Its mistakes are those of `config`. */
export const checkPolicy: Check = async ({ env, platform, run }) => {
  const places = configPlaces(undefined, {}, systemConfigFolder(platform)).filter(isOccupied);
  const { policy } = readPolicy(readConfigs(places).configs, run.options);
  if (!policy) return [ok(check, "the config of the system locks nothing")];
  const disable = locksDisable(policy) ? ["MCP_METER_DISABLE has no effect"] : [];
  const locked = [...(await lockedValues(run, { env, platform })), ...disable];
  return [ok(check, `${policy.file} locks ${locked.join("; ")}`)];
};

/** None where a variable has a mistake, which is a finding of its own. */
async function lockedValues(
  run: Patient["run"],
  io: Pick<Patient, "env" | "platform">,
): Promise<readonly string[]> {
  const noServer = { server: undefined, config: undefined, command: undefined };
  try {
    const { options } = await configReport(run, noServer, io);
    const locked = options.filter(({ is_locked: isLocked }) => isLocked);
    return locked.map(({ option, value }) => `${option} ${wordsOf(value)}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [];
  }
}

function wordsOf(value: ShownOption["value"]): string {
  if (value === null) return "unset";
  return typeof value === "object" ? value.join(" ") : String(value);
}
