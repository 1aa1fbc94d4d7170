import { statSync } from "node:fs";
import { UserError } from "#errors.ts";
import type { Finding } from "#renderers/documents/doctor.ts";
import { configPlaces, isOccupied } from "#storage/config/config-path.ts";
import { maskSecrets } from "#text/mask-secrets.ts";
import { shellWord } from "#text/shell-word.ts";
import type { RawOptions } from "../command.ts";
import { resolveConfig, type ResolvedConfig } from "../configured-arguments.ts";
import { environmentOptions } from "../environment.ts";
import { expandPaths } from "../home-paths.ts";
import { namedConfig } from "../named-config.ts";
import { broken, type Check, ok, type Patient, warning } from "./finding.ts";

const check = "config";

/** The config files that apply to every server, and the values that they and variables set. */
export const checkConfig: Check = (patient) => {
  try {
    return findingsOf(patient);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const detail = `a variable stops every session: ${maskSecrets(error.message)}`;
    return [broken("environment", detail, "env | grep MCP_METER_")];
  }
};

function findingsOf({ env, run, platform }: Patient): readonly Finding[] {
  const explicit = expandPaths(run.options, environmentOptions(run.options, env), env);
  const places = configPlaces(namedConfig(explicit, {}), env);
  // `run` takes no options without a command.
  const words = { operands: [], child: [""] };
  const resolved = resolveConfig({ command: run, words, explicit, places }, env);
  const files = places.filter(isOccupied).map(({ file }) => file);
  const findings = [
    ...mistakeFindings(resolved),
    ...(platform === "win32" ? [] : files.flatMap(rightsFindings)),
  ];
  if (findings.length > 0) return findings;
  return [ok(check, files.length === 0 ? "no config file; the defaults hold" : files.join(", "))];
}

function mistakeFindings({ mistakes, options }: ResolvedConfig): readonly Finding[] {
  const isClosed = isRefusing(options) && mistakes.length > 0;
  const found = mistakes.map(({ file, fault }) =>
    warning(check, `${file}: ${maskSecrets(fault)}`, "mcp-meter config"),
  );
  const refusal =
    'every call is refused, because on_fault is "closed" and a config file has a mistake';
  return isClosed ? [broken(check, refusal, "mcp-meter config"), ...found] : found;
}

function isRefusing(options: RawOptions): boolean {
  return options["on-fault"] === "closed";
}

/** A config that others may write decides about our servers, and where files are written. */
function rightsFindings(file: string): readonly Finding[] {
  try {
    if ((statSync(file).mode & 0o022) === 0) return [];
    return [warning(check, `other users may write ${file}`, `chmod go-w ${shellWord(file)}`)];
  } catch {
    // It is a mistake already that it cannot be read.
    return [];
  }
}
