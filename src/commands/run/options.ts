import { riskThresholdsDefault, type RiskThresholds } from "#tokens/cost/risk.ts";
import { UserError } from "#kit/errors.ts";
import { isHttpUrl, parseHttpUrl } from "#kit/text/http-url.ts";
import { documentFormats, type DocumentFormat } from "#screens/renderers/formats.ts";
import type { Retention } from "#state/storage/prune/choose-files.ts";
import {
  type Arguments,
  type OptionGroup,
  type OptionSpec,
  type OptionSpecs,
  type RawOptions,
  makeCommandFlag,
} from "../command.ts";
import { parseOutput } from "../output/output-options.ts";
import { parsePriceOptions, type PriceOptions, priceOptionSpecs } from "../price-options.ts";
import {
  parseReaderOptions,
  readerOptionGroup,
  parseRisk,
  type ReaderOptions,
} from "../reader-options.ts";
import {
  parseChoice,
  parseRetention,
  readFlag,
  parseDurationMs,
  readText,
  parseCount,
  readList,
} from "../option-values.ts";
import {
  machineOption,
  parseMachine,
  parseUser,
  type UserChoice,
  userOption,
} from "./identity-options.ts";
import { type Limits, budgetOptionSpecs, parseBudgetOptions } from "./budget-options.ts";
import { runSentences } from "./sentences.ts";
import type { TrimRules } from "#lock/hidden-tools.ts";
import { commandSentences } from "../sentences.ts";
import type { OtlpOptions } from "#state/sinks/otlp/open-otlp.ts";

const off = "off";

export const otlpOptionSpecs: OptionSpecs = {
  otlp: {
    value: "[URL]",
    isSecret: true,
    followingValue: /^(?:https?:|off$)/i,
    description:
      "send metrics by OTLP over HTTP to URL; if no URL is given, to the URL in OTEL_EXPORTER_OTLP_ENDPOINT",
    default: off,
  },
  "otlp-traces": { description: "with --otlp, send each call as a span as well" },
};

/** The UserError never quotes the address, which may contain a password. */
export function parseOtlp(raw: RawOptions): OtlpOptions | undefined {
  const sendsSpans = readFlag(raw, "otlp-traces");
  const { otlp } = raw;
  if (typeof otlp !== "string" || isFlagValue(otlp)) {
    // `off` is compared first, because `readFlag` would reject it.
    const isOn = otlp !== off && readFlag(raw, "otlp");
    if (sendsSpans && !isOn)
      throw new UserError(commandSentences.optionRequires("otlp-traces", "otlp"));
    return isOn ? { url: undefined, sendsSpans } : undefined;
  }
  if (!parseHttpUrl(otlp)) throw new UserError(runSentences.otlpMalformed());
  return { url: otlp, sendsSpans };
}

function isFlagValue(text: string): boolean {
  return ["true", "1", "yes", "false", "0", "no", off].includes(text);
}

const summaryFormats = [...documentFormats, "off"] as const;
const exitRules = ["auto", "child"] as const;
const forwarders = ["auto", "portable"] as const;

const rareLimits =
  "warn-at max-repeats repeat error-form spill-dir counters fleet counter-timeout on-counter-failure on-fault".split(
    " ",
  );

const rareOutput =
  "log-fsync machine user slow annotate format json output wide prune-older-than prune-keep-bytes prices".split(
    " ",
  );

const trimOptionSpecs: OptionSpecs = {
  hide: {
    value: "NAME",
    isRepeatable: true,
    description: "hide these tools from the client",
  },
  only: { value: "NAME", isRepeatable: true, description: "hide all other tools" },
  slim: {
    description:
      "remove definition members that no model needs: $schema, titles that repeat a name, unused $defs",
  },
  "max-description": {
    value: "N",
    description:
      "limit descriptions to N characters; cut them after a sentence if that keeps at least N/2",
  },
};

const rareTrimOptions = ["only", "slim", "max-description"];

export const meterOptionGroups = {
  reader: {
    ...readerOptionGroup,
    options: {
      ...readerOptionGroup.options,
      calibration: {
        value: "FILE",
        description:
          'scale estimates by the factors in FILE, which "mcp-meter validate --write-calibration" writes',
        isPath: true,
      },
    },
  },
  limits: {
    heading: "Budgets, lock, tools",
    options: { ...budgetOptionSpecs, ...trimOptionSpecs },
    rare: [...rareLimits, ...rareTrimOptions],
  },
  output: {
    heading: "Records and output",
    rare: rareOutput,
    options: {
      log: {
        value: "FILE",
        description: "file for records; - for stderr, off for none",
        default: "a new file per session",
        isPath: true,
        choices: ["-", "off"],
      },
      "log-fsync": { description: "fsync after each write" },
      server: {
        value: "NAME",
        description: "name of the server in records",
        default: "the name that it reports",
      },
      machine: machineOption,
      user: userOption,
      slow: {
        value: "SECONDS",
        description: "alert about calls that take longer than this",
        default: "off",
      },
      "on-alert": {
        value: "COMMAND",
        description: "run this shell command for each alert, with the alert as JSON on its stdin",
        default: "off",
        isSecret: true,
      },
      annotate: { description: "add the cost of each call to the _meta of its result" },
      summary: {
        value: "FORMAT",
        description: `format of the summary at exit: ${summaryFormats.join(", ")}`,
        default: "table",
        choices: summaryFormats,
      },
      "summary-file": {
        value: "FILE",
        description: "write the summary to FILE instead of stderr",
        isPath: true,
      },
      // Never read from the environment, because MCP_METER_FORMAT may name a format that summaries do not have.
      format: {
        value: "FORMAT",
        description: "same as --summary",
        isCommandLineOnly: true,
        choices: summaryFormats,
      },
      json: makeCommandFlag("same as --summary json"),
      output: {
        value: "FILE",
        description: "same as --summary-file",
        short: "o",
        isPath: true,
        isCommandLineOnly: true,
      },
      wide: makeCommandFlag("print names in the summary in full"),
      "prune-older-than": {
        value: "AGE",
        description:
          "once a day, remove records of sessions that ended longer ago than this, such as 90d",
        default: "off",
      },
      "prune-keep-bytes": {
        value: "SIZE",
        description: "once a day, remove the oldest records beyond this size, such as 500M",
        default: "off",
      },
      ...priceOptionSpecs,
    },
  },
  telemetry: { heading: "Telemetry", options: otlpOptionSpecs, rare: ["otlp-traces"] },
} satisfies { readonly [name: string]: OptionGroup };

export const configOption: OptionSpec = {
  value: "FILE",
  description: "read options from this JSON file; comments are allowed",
  default: "mcp-meter/config.json in $XDG_CONFIG_HOME",
  isPath: true,
};

export const processOptionSpecs = {
  "exit-code": {
    value: "RULE",
    description:
      "auto: exit with 1 instead of 0 if a limit or the lock took effect, or a hidden tool was called; child: always exit as the server does",
    default: "auto",
    choices: exitRules,
  },
  forwarder: {
    value: "NAME",
    description:
      "auto: forward bytes in a separate thread where possible; portable: use no separate thread",
    default: "auto",
    choices: forwarders,
  },
} satisfies OptionSpecs;

export const runOptionGroups: readonly OptionGroup[] = [
  ...Object.values(meterOptionGroups),
  {
    heading: "General",
    options: { ...processOptionSpecs, config: configOption },
    rare: Object.keys(processOptionSpecs),
  },
];

export type RunOptions = ReaderOptions &
  Limits &
  PriceOptions &
  UserChoice & {
    readonly implicit: ReadonlySet<string>;
    readonly overridden: readonly string[]; // options that the policy overrode, spelled as in config files
    readonly command: readonly string[];
    readonly server: string | undefined;
    readonly machine: string | undefined;
    readonly risk: RiskThresholds;
    readonly log: string | undefined;
    readonly calibrationFile: string | undefined;
    readonly slowMs: number | undefined;
    readonly onAlert: string | undefined;
    readonly isAnnotating: boolean;
    readonly isLogSynced: boolean;
    readonly summary: DocumentFormat | "off";
    readonly summaryFile: string | undefined;
    readonly isWide: boolean;
    readonly exitCode: (typeof exitRules)[number];
    readonly forwarder: (typeof forwarders)[number];
    readonly otlp: OtlpOptions | undefined;
    readonly retention: Retention;
  };

export type MeteringOptions = Omit<RunOptions, "command" | "exitCode" | "forwarder">;

export function parseRunOptions(args: Arguments): RunOptions {
  const { options: raw } = args;
  return {
    ...parseMeteringOptions(args),
    exitCode: parseChoice(raw, "exit-code", exitRules) ?? "auto",
    forwarder: parseChoice(raw, "forwarder", forwarders) ?? "auto",
    command: parseCommand(args),
  };
}

export function parseMeteringOptions({
  options: raw,
  config,
}: Pick<Arguments, "options" | "config">): MeteringOptions {
  return {
    implicit: config?.implicit ?? new Set(),
    configFaults: config?.faults ?? [],
    overridden: config?.overridden ?? [],
    ...parseReaderOptions(raw),
    ...parseBudgetOptions(raw),
    ...parsePriceOptions(raw),
    calibrationFile: readText(raw, "calibration"),
    server: readText(raw, "server"),
    machine: parseMachine(raw),
    ...parseUser(raw),
    risk: parseRisk(raw) ?? riskThresholdsDefault,
    log: readText(raw, "log"),
    slowMs: readText(raw, "slow") === "off" ? undefined : parseDurationMs(raw, "slow"),
    onAlert: parseAlertCommand(raw),
    isAnnotating: readFlag(raw, "annotate"),
    trim: parseTrimRules(raw),
    isLogSynced: readFlag(raw, "log-fsync"),
    ...parseSummary(raw),
    otlp: parseOtlp(raw),
    retention: parseRetention(raw, { age: "prune-older-than", size: "prune-keep-bytes" }),
  };
}

function parseAlertCommand(raw: RawOptions): string | undefined {
  const command = readText(raw, "on-alert");
  if (command?.includes("\0"))
    throw new UserError(commandSentences.optionValue("on-alert", "…", "a shell command"));
  return command === "off" ? undefined : command;
}

function parseSummary(raw: RawOptions): Pick<RunOptions, "summary" | "summaryFile" | "isWide"> {
  const { format, output, isWide } = parseOutput(raw, summaryFormats);
  const isFormatGiven = raw["format"] !== undefined || format !== "table";
  const summary = parseChoice(raw, "summary", summaryFormats) ?? "table";
  return {
    summary: isFormatGiven ? format : summary,
    summaryFile: output ?? readText(raw, "summary-file"),
    isWide,
  };
}

function parseCommand({ child = [], operands }: Arguments): readonly string[] {
  const [first] = operands;
  if ([first, child[0]].some((word) => isHttpUrl(word ?? "")))
    throw new UserError(runSentences.urlAsCommand());
  if (first !== undefined) throw new UserError(runSentences.serverWithoutDashes(first));
  if (child.length === 0) throw new UserError(runSentences.commandMissing());
  return child;
}

export function parseTrimRules(raw: RawOptions): TrimRules {
  return {
    hide: readPatterns(raw, "hide"),
    only: readPatterns(raw, "only"),
    isSlim: readFlag(raw, "slim"),
    descriptionMax: parseCount(raw, "max-description", 1),
  };
}

// One text may hold several patterns, because a variable such as MCP_METER_HIDE cannot be repeated.
function readPatterns(raw: RawOptions, name: string): readonly string[] {
  return readList(raw, name).flatMap((text) => text.split(/\s+/).filter((part) => part !== ""));
}
