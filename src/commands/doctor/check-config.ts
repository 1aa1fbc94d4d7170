import { attempt, UserError } from "#kit/errors.ts";
import { statSync } from "node:fs";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import type { ConfigMistake } from "#state/storage/config/config-file.ts";
import {
  listConfigLocations,
  mustBeRead,
  locateSystemConfigFolder,
} from "#state/storage/config/config-locations.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { quoteShellWord } from "#kit/text/unsafe-text.ts";
import { makeRunCommandLine, resolveConfig, type ResolvedConfig } from "../apply-config-files.ts";
import {
  describeSource,
  type ExaminedConfig,
  findNamedFileFaults,
  type NamedFileFault,
} from "../config/option-file-faults.ts";
import { broken, type Examine, ok, type Installation, warning, faultsShownMax } from "./finding.ts";
import type { ShownOption } from "#screens/renderers/documents/config.ts";
import { type Distrust, examineTrust } from "#state/storage/config/config-trust.ts";
import { locksDisable, type Policy } from "#state/storage/config/policy.ts";
import { readLockedBudgets } from "../counters/read-counters.ts";
import { runCommand } from "../run/index.ts";
import { isPriceOverridden } from "../run/preparation.ts";
import { reportConfig } from "../config/config-report.ts";
import { type Budget, isShared } from "#meter/budgets/budget.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { describeReason } from "#kit/sentences.ts";

const configCheck = "config";

const configFix = "mcp-meter config";

export const checkConfig: Examine = async (installation) => {
  try {
    return await examineConfig(installation);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const detail = `an environment variable keeps every session from starting: ${maskSecrets(error.message)}`;
    return [broken("environment", detail, "env | grep MCP_METER_")];
  }
};

async function examineConfig(installation: Installation): Promise<readonly Finding[]> {
  const { env, platform } = installation;
  const commandLine = makeRunCommandLine({ env, platform });
  const resolved = resolveConfig(commandLine, env);
  const fileFaults = await findNamedFileFaults({ commandLine, resolved }, env);
  // `checkPolicy` reports the faults of a system config that locks options or is unusable.
  const policyFile = reviewSystemConfig(installation)?.file;
  const files = commandLine.configLocations.filter(mustBeRead).map(({ file }) => file);
  const otherFiles = files.filter((file) => file !== policyFile);
  const findings = [
    ...findRefusalOfAllCalls(resolved, fileFaults),
    ...resolved.mistakes.filter(({ file }) => file !== policyFile).map(reportMistake),
    ...fileFaults.map(reportUnusableFile),
    ...findDisabledLog({ commandLine, resolved }, env),
    ...(platform === "win32" ? [] : otherFiles.flatMap(findLoosePermissions)),
  ];
  if (findings.length > 0) return findings;
  return [
    ok(configCheck, files.length === 0 ? "no config file; the defaults apply" : files.join(", ")),
  ];
}

function findRefusalOfAllCalls(
  { mistakes, options, overridden }: ResolvedConfig,
  fileFaults: readonly NamedFileFault[],
): readonly Finding[] {
  // If the policy overrides the model or the prices, a budget without a price is ignored. Such a budget does not make
  // on_fault refuse calls.
  const isOptionIgnored = fileFaults.some(
    ({ effect, isRelativePath, option }) =>
      effect === "ignored" &&
      !isRelativePath &&
      !(option === "budget" && isPriceOverridden({ overridden })),
  );
  const hasFault = mistakes.length > 0 || isOptionIgnored;
  if (options["on-fault"] !== "closed" || !hasFault) return [];
  const fault = mistakes.length > 0 ? "has a mistake" : "has an option that cannot be used";
  const refusal = `every call is refused, because on_fault is "closed" and a config file ${fault}`;
  return [broken(configCheck, refusal, configFix)];
}

function reportMistake({ file, fault }: ConfigMistake): Finding {
  return warning(configCheck, `${file}: ${describeReason(maskSecrets(fault))}`, configFix);
}

const consequences: { readonly [Effect in NamedFileFault["effect"]]: string } = {
  stops: "it keeps every session from starting",
  ignored: "sessions ignore the option",
  unwritten: "sessions cannot write this file",
};

function reportUnusableFile({
  source,
  option,
  failure,
  effect,
  isRelativePath,
}: NamedFileFault): Finding {
  const summary = `${source}: ${option.replaceAll("-", "_")}: ${failure}`;
  // A relative path depends on the session's folder, so the effect of the fault is unknown here.
  if (isRelativePath) return warning(configCheck, summary, configFix);
  const detail = `${summary}; ${consequences[effect]}`;
  return effect === "stops"
    ? broken(configCheck, detail, configFix)
    : warning(configCheck, detail, configFix);
}

function findDisabledLog(examined: ExaminedConfig, env: Installation["env"]): readonly Finding[] {
  if (examined.resolved.options["log"] !== "off") return [];
  const source = describeSource("log", examined, env);
  return [
    warning(configCheck, `${source}: log is off: sessions keep no records for reports`, configFix),
  ];
}

// Warns about other users who can write a config file: they could decide what mcp-meter enforces, and
// where it writes files.
function findLoosePermissions(file: string): readonly Finding[] {
  return attempt(() => {
    if ((statSync(file).mode & 0o022) === 0) return [];
    return [
      warning(configCheck, `other users can write ${file}`, `chmod go-w ${quoteShellWord(file)}`),
    ];
  }, []);
}

const policyCheck = "policy";

export const checkPolicy: Examine = async (installation) => {
  const review = reviewSystemConfig(installation);
  if (!review) return [ok(policyCheck, "no system config locks anything")];
  const { file, policy, distrust, mistakes } = review;
  if (distrust)
    return [broken(policyCheck, `${file}: ${distrust.fault}`, suggestTrustFix(distrust))];
  const findings = reportPolicyMistakes(file, mistakes);
  if (!policy) return findings;
  const locks = listLocks(policy, await readLockedOptions(installation));
  return [
    ...findings,
    ok(policyCheck, `${policy.file} locks ${locks.join("; ")}`),
    ...checkUnlockedOptions(review, readLockedBudgets(installation.platform)?.budgets),
  ];
};

export function reportPolicyMistakes(
  file: string,
  mistakes: readonly ConfigMistake[],
): readonly Finding[] {
  const omitted = mistakes.length - faultsShownMax;
  const shown = mistakes.slice(0, faultsShownMax);
  const faults = shown.map(({ fault }) => describeReason(maskSecrets(fault)));
  const details = omitted > 0 ? [...faults, pluralize(omitted, "more mistake")] : faults;
  return details.map((detail) => broken(policyCheck, `${file}: ${detail}`, suggestEdit(file)));
}

function checkUnlockedOptions(
  { file, policy }: SystemConfigReview,
  budgets: readonly Budget[] = [],
): readonly Finding[] {
  const unlocked = listUnlockedOptions(budgets, policy?.locked ?? new Set());
  const detail = `locked budgets depend on ${unlocked.join(", ")}, which users can still set`;
  return unlocked.length === 0 ? [] : [warning(policyCheck, detail, suggestEdit(file))];
}

function suggestTrustFix({ path, isForeign }: Distrust): string {
  return `sudo ${isForeign ? "chown root:" : "chmod go-w"} ${quoteShellWord(path)}`;
}

function suggestEdit(file: string): string {
  return `sudoedit ${quoteShellWord(file)}`;
}

// An error in an environment variable is ignored here, because `checkConfig` reports it.
async function readLockedOptions({ env, platform }: Installation): Promise<readonly ShownOption[]> {
  const noServer = { server: undefined, config: undefined, command: undefined };
  try {
    const { options } = await reportConfig(noServer, { env, platform });
    return options.filter(({ is_locked: isLocked }) => isLocked);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [];
  }
}

export function listLocks(policy: Policy, options: readonly ShownOption[]): readonly string[] {
  const withValue = new Set(options.map(({ option }) => option));
  const withoutValue = [...policy.locked].filter(
    (name) => name !== "disable" && !withValue.has(name === "budgets" ? "budget" : name),
  );
  return [
    ...options.map(({ option, value }) => `${option.replaceAll("-", "_")} ${formatValue(value)}`),
    ...withoutValue.map((name) => name.replaceAll("-", "_")),
    ...(locksDisable(policy) ? ['"disable", so MCP_METER_DISABLE has no effect'] : []),
  ];
}

function formatValue(value: ShownOption["value"]): string {
  if (value === null) return "unset";
  return typeof value === "object" ? value.join(" ") : String(value);
}

const optionsOfCounting = ["tokenizer", "calibration", "model", "as-client"];

const optionsOfAllBudgets = ["counters", "fleet", "counter-timeout", "disable"];

// Unlocked options that let a user spend more than locked budgets allow. Only shared budgets matter:
// the counts of the others start at zero in every session anyway.
function listUnlockedOptions(
  budgets: readonly Budget[],
  locked: ReadonlySet<string>,
): readonly string[] {
  const sharedBudgets = budgets.filter(isShared);
  if (sharedBudgets.length === 0) return [];
  const dependsOnCounting = sharedBudgets.some(({ unit }) => unit !== "calls");
  const hasUserBudget = sharedBudgets.some(({ owner }) => owner === "user");
  const hasMoneyBudget = sharedBudgets.some(({ unit }) => unit === "dollars");
  const hasServerBudget = sharedBudgets.some(({ isOverall }) => !isOverall);
  const options = [
    ...optionsOfAllBudgets,
    ...(dependsOnCounting ? optionsOfCounting : []),
    ...(hasMoneyBudget ? ["prices"] : []),
    ...(hasServerBudget ? ["server"] : []),
    ...(hasUserBudget ? ["user"] : []),
  ];
  return options.filter((name) => !locked.has(name)).map((name) => name.replaceAll("-", "_"));
}

// `policy` is undefined if a mistake or `distrust` keeps the config from locking anything.
type SystemConfigReview = Pick<ResolvedConfig, "policy"> & {
  readonly file: string;
  readonly mistakes: readonly ConfigMistake[];
  readonly distrust: Distrust | undefined;
};

// Undefined without a system config, or if it is usable and does not try to lock anything.
export function reviewSystemConfig(
  { env, platform }: Pick<Installation, "env" | "platform">,
  folder: string = locateSystemConfigFolder(platform),
): SystemConfigReview | undefined {
  const configLocations = listConfigLocations(undefined, {}, folder).filter(mustBeRead);
  const [system] = configLocations;
  if (!system) return undefined;
  // `run` requires the command of a server, so `child` is a placeholder.
  const words = { operands: [], child: [""] };
  const resolved = resolveConfig(
    { command: runCommand, words, explicit: {}, configLocations },
    env,
  );
  const { configs, policy, mistakes } = resolved;
  const layer = configs[0]?.layer;
  const isUnusable =
    mistakes.length > 0 && (!layer || layer.general.size + layer.servers.size === 0);
  const triesToLock =
    (layer?.locked.length ?? 0) > 0 ||
    mistakes.some(({ cause }) => /^(?:locked\b|not valid JSON)/.test(cause));
  if (!isUnusable && !triesToLock) return undefined;
  const { file } = system;
  return { file, policy, mistakes, distrust: examineTrust(file) };
}
