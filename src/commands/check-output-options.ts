import { UserError } from "#kit/errors.ts";
import type { OptionSpec, RawOptions } from "./command.ts";
import {
  type OutputTarget,
  parseOutputTarget,
  rejectJsonConflict,
} from "./output/output-options.ts";
import { readFlag, readList } from "./option-values.ts";
import { checkFormats, type CheckFormat } from "#screens/renderers/formats.ts";
import { commandSentences } from "./sentences.ts";

export function makeFormatSpec(defaultText: string): OptionSpec {
  return {
    value: "FORMAT[=FILE]",
    description: `output format: ${checkFormats.join(", ")}; FORMAT=FILE also writes a report to FILE`,
    default: defaultText,
    choices: checkFormats,
    isRepeatable: true,
  };
}

type ReportTarget = { readonly format: CheckFormat; readonly file: string | undefined };

export type CheckOutput = OutputTarget & {
  readonly reports: readonly ReportTarget[];
};

export function parseCheckOutput(options: RawOptions): CheckOutput {
  const targets = parseReportTargets(readList(options, "format"));
  const printed = targets.find(({ file }) => file === undefined);
  rejectJsonConflict(options, printed?.format);
  const addsJson = readFlag(options, "json") && !printed;
  const reports = addsJson ? [...targets, { format: "json", file: undefined } as const] : targets;
  return { reports, ...parseOutputTarget(options) };
}

function parseReportTargets(specs: readonly string[]): ReportTarget[] {
  const targets = specs.map(parseTarget);
  const takenFiles = new Set<string | undefined>();
  for (const { format, file } of targets) {
    if (takenFiles.has(file)) throw new UserError(commandSentences.reportTwice(format, file));
    takenFiles.add(file);
  }
  return targets;
}

function parseTarget(spec: string): ReportTarget {
  const [name = "", ...rest] = spec.split("=");
  const format = checkFormats.find((checkFormat) => checkFormat === name);
  const file = rest.length === 0 ? undefined : rest.join("=");
  if (format === undefined || file === "") {
    const wanted = `one of ${checkFormats.join(", ")}, alone or followed by =FILE`;
    throw new UserError(commandSentences.optionValue("format", spec, wanted));
  }
  return { format, file };
}
