import { actionRules } from "#meter/actions/action-rules.ts";
import { parseBudget, type Budget } from "#meter/budgets/budget.ts";
import { UserError } from "#kit/errors.ts";
import { type Axis, axes } from "#history/reports/usage-report.ts";
import type { NameFilters } from "#history/reports/make-report.ts";
import { makeRangeSpecs, parseRangeBound } from "../since-until-options.ts";
import type { RawRange } from "#history/reports/time-range.ts";
import { reportFormats, type ReportFormat } from "#screens/renderers/formats.ts";
import {
  type Arguments,
  type OptionGroup,
  type OptionSpec,
  type RawOptions,
  makeCommandFlag,
} from "../command.ts";
import { type Output, makeOutputSpecs, parseOutput } from "../output/output-options.ts";
import { parsePriceOptions, type PriceOptions, priceOptionSpecs } from "../price-options.ts";
import { machineOption, parseMachine } from "../run/identity-options.ts";
import {
  makeConflict,
  OptionConflict,
  requireChoice,
  parseChoice,
  parseCount,
  readFlag,
  readList,
  readText,
} from "../option-values.ts";
import { reportSentences } from "./sentences.ts";

const reportAxesMax = 2;

export const defaultDays = 7;

const commandLineOnly = { isCommandLineOnly: true } as const;

const orders = ["asc", "desc"] as const;

const filterSpec = { value: "NAME", isRepeatable: true, ...commandLineOnly } as const;

export const timezoneOption: OptionSpec = {
  value: "ZONE",
  description: "time zone in which days begin, an IANA name such as Europe/Berlin",
  default: "this machine's",
};

export const reportOptionGroups: readonly OptionGroup[] = [
  {
    heading: "Table",
    rare: ["order", "resent"],
    options: {
      by: {
        value: "AXIS",
        description: `rows: ${axes.join(", ")}; give it twice to nest rows`,
        default: "the summary of FILE; without FILE, an overview on one screen",
        isRepeatable: true,
        choices: axes,
        ...commandLineOnly,
      },
      order: {
        value: "ORDER",
        description: "order of rows: asc or desc",
        default:
          "hours, days, weeks and months asc; other rows desc by tokens, or by dollars with --cost",
        choices: orders,
        ...commandLineOnly,
      },
      trend: makeCommandFlag(
        "compare the calls of each server and tool with its calls in the previous period",
      ),
      resent: makeCommandFlag(
        "also print the tokens of earlier calls that the client sent to the model again",
      ),
      top: {
        value: "N",
        description: "print the N largest rows, and the sum of the rest",
        ...commandLineOnly,
      },
    },
  },
  {
    heading: "Records",
    rare: ["session", "timezone", "machine"],
    options: {
      ...makeRangeSpecs(`all of FILE; without FILE, the last ${defaultDays} days`),
      session: {
        value: "ID",
        description: "report this Claude Code session, as if its record files were given as FILE",
        ...commandLineOnly,
      },
      timezone: timezoneOption,
      machine: machineOption,
      server: { ...filterSpec, description: "only servers that match this name or pattern" },
      tool: { ...filterSpec, description: "only tools that match this name or pattern" },
      client: { ...filterSpec, description: "only clients that match this name or pattern" },
      estimator: {
        ...filterSpec,
        value: "ID",
        description: "only sessions counted by this estimator",
      },
    },
  },
  {
    heading: "Output",
    rare: ["prices"],
    options: {
      ...makeOutputSpecs(reportFormats),
      ...priceOptionSpecs,
      cost: {
        ...priceOptionSpecs["cost"],
        description: "add the cost of calls, and how it was computed",
      },
      model: {
        value: "NAME",
        description: "for calls of an unknown model, use the prices of NAME, such as gpt-5.5",
        ...commandLineOnly,
      },
    },
  },
  {
    heading: "Other reports",
    rare: ["what-if", "sequences"],
    options: {
      advice: makeCommandFlag("print what to change, and the tokens it would save"),
      sequences: makeCommandFlag(
        "print which tools are called one after the other, and their tokens",
      ),
      "what-if": {
        value: "BUDGET",
        description: "print how many calls a budget would have refused or shortened",
        isRepeatable: true,
        ...commandLineOnly,
      },
    },
  },
];

export type UsageOptions = {
  readonly by: readonly Axis[];
  readonly range: RawRange;
  readonly order: (typeof orders)[number] | undefined;
  readonly top: number | undefined;
  readonly hasTrend: boolean;
  readonly showsResent: boolean;
  readonly model: string | undefined;
  readonly filters: NameFilters;
};

export type Analysis = Pick<UsageOptions, "range" | "filters"> &
  (
    | { readonly kind: "advice" }
    | { readonly kind: "sequences"; readonly top: number | undefined }
    | { readonly kind: "what-if"; readonly budgets: readonly Budget[] }
  );

export type ReportOptions = PriceOptions &
  Output<ReportFormat> & {
    readonly files: readonly string[];
    readonly session?: string | undefined;
    readonly timezone: string | undefined;
    readonly machine: string | undefined;
    readonly usage: UsageOptions | undefined;
    readonly analysis: Analysis | undefined;
  };

const usageOptionNames = [
  "by",
  "order",
  "trend",
  "resent",
  "model",
  "top",
  "since",
  "until",
  "server",
  "tool",
  "client",
  "estimator",
];

export function parseReportOptions({ options, operands, child = [] }: Arguments): ReportOptions {
  const files = [...operands, ...child];
  const output = parseOutput(options, reportFormats);
  const { format } = output;
  const session = readText(options, "session");
  const hasFiles = files.length > 0 || session !== undefined;
  const isUsage = !hasFiles || usageOptionNames.some((name) => options[name] !== undefined);
  const usage = isUsage ? parseUsage(options) : undefined;
  const analysis = parseAnalysis(options, format);
  if (format === "csv") rejectCsvWithoutTable(usage);
  const hasDefaultPeriod = !hasFiles && usage?.range.until === undefined;
  if (!hasDefaultPeriod && usage?.hasTrend === true && usage.range.since === undefined) {
    throw new UserError(reportSentences.trendWithoutPeriod());
  }
  return {
    ...output,
    files,
    session,
    timezone: readText(options, "timezone"),
    machine: parseMachine(options),
    ...parsePriceOptions(options),
    usage,
    analysis,
  };
}

function rejectCsvWithoutTable(usage: UsageOptions | undefined): void {
  if (usage?.hasTrend === true) throw new OptionConflict(reportSentences.csvMissing("trend"));
  if (!usage || usage.by.length === 0) throw new OptionConflict(reportSentences.csvWithoutAxis());
}

const analysisKinds = ["advice", "sequences", "what-if"] as const;

function parseAnalysis(options: RawOptions, format: ReportFormat): Analysis | undefined {
  const [kind, second] = analysisKinds.filter((name) =>
    name === "what-if" ? readList(options, name).length > 0 : readFlag(options, name),
  );
  if (kind === undefined) return undefined;
  const contradicting =
    second ??
    ["by", "order", "trend", ...(kind === "sequences" ? [] : ["top"])].find(
      (option) => options[option] !== undefined,
    );
  if (contradicting !== undefined) throw makeConflict(`--${kind}`, `--${contradicting}`);
  if (format === "csv") throw new OptionConflict(reportSentences.csvMissing(kind));
  const { range, filters, top } = parseUsage(options);
  if (kind === "advice") return { kind, range, filters };
  if (kind === "sequences") return { kind, top, range, filters };
  const budgets = readList(options, kind).map((spec) => parseBudget(spec, actionRules));
  const inDollars = budgets.find(({ unit }) => unit === "dollars");
  if (inDollars) throw new UserError(reportSentences.whatIfMoney(inDollars.spec));
  return { kind, budgets, range, filters };
}

export function parseUsage(options: RawOptions): UsageOptions {
  return {
    by: parseAxes(readList(options, "by")),
    range: { since: parseRangeBound(options, "since"), until: parseRangeBound(options, "until") },
    order: parseChoice(options, "order", orders),
    top: parseCount(options, "top", 1),
    hasTrend: readFlag(options, "trend"),
    showsResent: readFlag(options, "resent"),
    model: readText(options, "model"),
    filters: {
      servers: readList(options, "server"),
      tools: readList(options, "tool"),
      clients: readList(options, "client"),
      estimators: readList(options, "estimator"),
    },
  };
}

function parseAxes(texts: readonly string[]): Axis[] {
  const by = texts.map((text) => requireChoice("by", text, axes));
  if (by.length > reportAxesMax) throw new UserError(reportSentences.axesTooMany(reportAxesMax));
  const repeated = by.find((axis, at) => by.indexOf(axis) < at);
  if (repeated !== undefined) throw new UserError(reportSentences.axisTwice(repeated));
  return by;
}
