import { inWords, UserError } from "#kit/errors.ts";
import { statSync } from "node:fs";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import type { ConfigMistake } from "#state/storage/config/config-file.ts";
import { configPlaces, isOccupied, systemConfigFolder } from "#state/storage/config/config-path.ts";
import { maskSecrets } from "#kit/text/unsafe-text.ts";
import { shellWord } from "#kit/text/shell-word.ts";
import {
  resolveConfig,
  type ResolvedConfig,
  type Examined,
  type NamedFileFault,
  namedFileFaults,
  placeOf,
} from "../configured-arguments.ts";
import { environmentOptions, namedConfig } from "../environment.ts";
import { expandPaths } from "../values.ts";
import { broken, type Check, ok, type Patient, warning, faultsShownMax } from "./finding.ts";
import type { ShownOption } from "#screens/renderers/documents/config.ts";
import { type Distrust, examineTrust } from "#state/storage/config/read-configs.ts";
import { locksDisable } from "#state/storage/config/policy.ts";
import { lockedCounters } from "../counters/read-counters.ts";
import { configReport } from "../config/config-report.ts";
import { type Budget, isShared } from "#meter/budgets/budget.ts";

const check = "config";

const fix = "mcp-meter config";

export const checkConfig: Check = async (patient) => {
  try {
    return await findingsOf(patient);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const detail = `a variable stops every session: ${maskSecrets(error.message)}`;
    return [broken("environment", detail, "env | grep MCP_METER_")];
  }
};

async function findingsOf(patient: Patient): Promise<readonly Finding[]> {
  const { env, run, platform } = patient;
  const explicit = expandPaths(run.options, environmentOptions(run.options, env), env);
  const places = configPlaces(namedConfig(explicit, {}), env, systemConfigFolder(platform));
  // `run` takes no options without a command.
  const line = { command: run, words: { operands: [], child: [""] }, explicit, places };
  const resolved = resolveConfig(line, env);
  const unusable = await namedFileFaults({ line, resolved }, env);
  // Mistakes in a policy are worse, and are its own findings.
  const policyFile = systemPolicy(patient)?.file;
  const files = places.filter(isOccupied).map(({ file }) => file);
  const findings = [
    ...refusalFindings(resolved, unusable),
    ...resolved.mistakes.filter(({ file }) => file !== policyFile).map(mistakeFinding),
    ...unusable.map(unusableFinding),
    ...offFindings({ line, resolved }, env),
    ...(platform === "win32" ? [] : files.flatMap(rightsFindings)),
  ];
  if (findings.length > 0) return findings;
  return [ok(check, files.length === 0 ? "no config file; the defaults hold" : files.join(", "))];
}

function refusalFindings(
  { mistakes, options }: ResolvedConfig,
  unusable: readonly NamedFileFault[],
): readonly Finding[] {
  const isMissed = unusable.some(({ effect, isRelative }) => effect === "ignored" && !isRelative);
  const isFaulty = mistakes.length > 0 || isMissed;
  if (options["on-fault"] !== "closed" || !isFaulty) return [];
  const refusal =
    'every call is refused, because on_fault is "closed" and a config file has a mistake';
  return [broken(check, refusal, fix)];
}

function mistakeFinding({ file, fault }: ConfigMistake): Finding {
  return warning(check, `${file}: ${inWords(maskSecrets(fault))}`, fix);
}

const consequences: { readonly [Effect in NamedFileFault["effect"]]: string } = {
  stops: "it stops every session",
  ignored: "sessions ignore the option",
  unwritten: "sessions write none",
};

function unusableFinding({ place, option, failure, effect, isRelative }: NamedFileFault): Finding {
  const fault = `${place}: ${option.replaceAll("-", "_")}: ${failure}`;
  if (isRelative) return warning(check, fault, fix);
  const detail = `${fault}; ${consequences[effect]}`;
  return effect === "stops" ? broken(check, detail, fix) : warning(check, detail, fix);
}

function offFindings(examined: Examined, env: Patient["env"]): readonly Finding[] {
  if (examined.resolved.options["log"] !== "off") return [];
  const place = placeOf("log", examined, env);
  return [warning(check, `${place}: log is off: sessions keep no records for reports`, fix)];
}

/** A user who can write a config decides about our servers, and where files are written. */
function rightsFindings(file: string): readonly Finding[] {
  try {
    if ((statSync(file).mode & 0o022) === 0) return [];
    return [warning(check, `other users may write ${file}`, `chmod go-w ${shellWord(file)}`)];
  } catch {
    // It is a mistake already that it cannot be read.
    return [];
  }
}

const policyCheck = "policy";

export const checkPolicy: Check = async (patient) => {
  const found = systemPolicy(patient);
  if (!found) return [ok(policyCheck, "the system config locks nothing")];
  const { file, policy, distrust, mistakes } = found;
  if (distrust) return [broken(policyCheck, `${file}: ${distrust.fault}`, distrustFix(distrust))];
  const faults = mistakes
    .slice(0, faultsShownMax)
    .map(({ fault }) =>
      broken(policyCheck, `${file}: ${inWords(maskSecrets(fault))}`, editing(file)),
    );
  if (!policy) return faults;
  const disable = locksDisable(policy) ? ["MCP_METER_DISABLE has no effect"] : [];
  const locked = [...(await lockedValues(patient)), ...disable];
  const held = ok(policyCheck, `${policy.file} locks ${locked.join("; ")}`);
  return [...faults, held, ...choiceFindings(found, lockedCounters(patient.platform)?.budgets)];
};

function choiceFindings(
  { file, policy }: SystemPolicy,
  budgets: Parameters<typeof openChoices>[0] = [],
): readonly Finding[] {
  const open = openChoices(budgets, policy?.locked ?? new Set());
  const what = `Locked budgets depend on ${open.join(", ")}, which users can still choose`;
  return open.length === 0 ? [] : [warning(policyCheck, what, editing(file))];
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

const placeOfPolicy = ["counters", "fleet"];

/** Unlocked options that let a user spend more than locked budgets allow. Only budgets that outlive a session count: all others start at zero anyway. */
function openChoices(budgets: readonly Budget[], locked: ReadonlySet<string>): readonly string[] {
  const lasting = budgets.filter(isShared);
  if (lasting.length === 0) return [];
  const isCounted = lasting.some(({ unit }) => unit === "tokens");
  const isNamed = lasting.some(({ isOverall }) => !isOverall);
  const choices = [
    ...placeOfPolicy,
    ...(isCounted ? counting : []),
    ...(isNamed ? ["server"] : []),
  ];
  return choices.filter((name) => !locked.has(name));
}

type SystemPolicy = Pick<ResolvedConfig, "policy" | "options"> & {
  readonly file: string;
  readonly mistakes: readonly ConfigMistake[];
  readonly distrust: Distrust | undefined;
};

export function systemPolicy(
  { env, platform, run }: Pick<Patient, "env" | "platform" | "run">,
  folder: string = systemConfigFolder(platform),
): SystemPolicy | undefined {
  const places = configPlaces(undefined, {}, folder).filter(isOccupied);
  const [place] = places;
  if (!place) return undefined;
  // `run` takes no options without a command.
  const words = { operands: [], child: [""] };
  const resolved = resolveConfig({ command: run, words, explicit: {}, places }, env);
  const { configs, policy, options, mistakes } = resolved;
  const layer = configs[0]?.layer;
  const isUnusable =
    mistakes.length > 0 && (!layer || layer.general.size + layer.servers.size === 0);
  const isMeant =
    (layer?.locked.length ?? 0) > 0 || mistakes.some(({ what }) => /^locked\b/.test(what));
  if (!isUnusable && !isMeant) return undefined;
  const { file } = place;
  return { file, policy, options, mistakes, distrust: examineTrust(file) };
}
