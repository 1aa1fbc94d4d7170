import { inWords } from "#kit/error-words.ts";
import { statSync } from "node:fs";
import { UserError } from "#kit/errors.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import type { ConfigMistake } from "#state/storage/config/config-file.ts";
import { configPlaces, isOccupied, systemConfigFolder } from "#state/storage/config/config-path.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { shellWord } from "#kit/text/shell-word.ts";
import { resolveConfig, type ResolvedConfig } from "../configured-arguments.ts";
import { environmentOptions } from "../environment.ts";
import { expandPaths } from "../home-paths.ts";
import { namedConfig } from "../named-config.ts";
import {
  type Examined,
  type NamedFileFault,
  namedFileFaults,
  placeOf,
} from "../named-file-faults.ts";
import { systemPolicy } from "./system-policy.ts";
import { broken, type Check, ok, type Patient, warning } from "./finding.ts";

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
