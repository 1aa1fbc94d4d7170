import { inWords } from "#kit/error-words.ts";
import { UserError } from "#kit/errors.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import type { ShownOption } from "#screens/renderers/documents/config.ts";
import type { Distrust } from "#state/storage/config/config-trust.ts";
import { locksDisable } from "#state/storage/config/policy.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { shellWord } from "#kit/text/shell-word.ts";
import { lockedCounters } from "../budgets/locked-counters.ts";
import { configReport } from "../config/config-report.ts";
import { broken, type Check, ok, type Patient, warning, faultsShownMax } from "./finding.ts";
import { type SystemPolicy, systemPolicy } from "./system-policy.ts";
import { type Budget, isShared } from "#meter/budgets/budget.ts";

const check = "policy";

export const checkPolicy: Check = async (patient) => {
  const found = systemPolicy(patient);
  if (!found) return [ok(check, "the system config locks nothing")];
  const { file, policy, distrust, mistakes } = found;
  if (distrust) return [broken(check, `${file}: ${distrust.fault}`, distrustFix(distrust))];
  const faults = mistakes
    .slice(0, faultsShownMax)
    .map(({ fault }) => broken(check, `${file}: ${inWords(maskSecrets(fault))}`, editing(file)));
  if (!policy) return faults;
  const disable = locksDisable(policy) ? ["MCP_METER_DISABLE has no effect"] : [];
  const locked = [...(await lockedValues(patient)), ...disable];
  const held = ok(check, `${policy.file} locks ${locked.join("; ")}`);
  return [...faults, held, ...choiceFindings(found, lockedCounters(patient.platform)?.budgets)];
};

function choiceFindings(
  { file, policy }: SystemPolicy,
  budgets: Parameters<typeof openChoices>[0] = [],
): readonly Finding[] {
  const open = openChoices(budgets, policy?.locked ?? new Set());
  const what = `Locked budgets depend on ${open.join(", ")}, which users can still choose`;
  return open.length === 0 ? [] : [warning(check, what, editing(file))];
}

function distrustFix({ path, isForeign }: Distrust): string {
  return `sudo ${isForeign ? "chown root:" : "chmod go-w"} ${shellWord(path)}`;
}

function editing(file: string): string {
  return `sudoedit ${shellWord(file)}`;
}

/** None if a variable has a mistake, which another finding reports. */
async function lockedValues({
  run,
  env,
  platform,
}: Pick<Patient, "run" | "env" | "platform">): Promise<readonly string[]> {
  const noServer = { server: undefined, config: undefined, command: undefined };
  try {
    const { options } = await configReport(run, noServer, { env, platform });
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

/** Options that change the number of tokens of the same call. */
const counting = ["tokenizer", "calibration", "model", "client"];

const place = ["counters", "fleet"];

/** Unlocked options that let a user spend more than locked budgets allow. Only budgets that outlive a session count: all others start at zero anyway. */
function openChoices(budgets: readonly Budget[], locked: ReadonlySet<string>): readonly string[] {
  const lasting = budgets.filter(isShared);
  if (lasting.length === 0) return [];
  const isCounted = lasting.some(({ unit }) => unit === "tokens");
  const isNamed = lasting.some(({ isOverall }) => !isOverall);
  const choices = [...place, ...(isCounted ? counting : []), ...(isNamed ? ["server"] : [])];
  return choices.filter((name) => !locked.has(name));
}
