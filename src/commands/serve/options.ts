import { lockedBudgets } from "#budgets/locked-budgets.ts";
import { sentences, UserError } from "#errors.ts";
import { isHeaderName, type OwnHeader } from "#http/headers.ts";
import { parseUpstream, type Upstream } from "#http/upstream.ts";
import type { Arguments, OptionGroup, OptionSpecs, RawOptions } from "../command.ts";
import { budgetOptionSpecs } from "../run/budget-options.ts";
import { countOption, listOption, secondsOption, textOption } from "../values.ts";
import {
  configOption,
  meterOptionGroups,
  type MeteringOptions,
  parseMeteringOptions,
} from "../run/options.ts";

/** The highest port of TCP. */
const highestPort = 65_535;

const serverOptionSpecs: OptionSpecs = {
  url: { value: "URL", describe: "the server's endpoint of Streamable HTTP", isSecret: true },
  header: {
    value: "HEADER",
    describe: "send this header with every request, as in 'X-Team: garden'",
    isRepeatable: true,
    isFlagOnly: true,
    isSecret: true,
  },
  "header-env": {
    value: "NAME=VARIABLE",
    describe:
      "send a header with the value of a variable; for Authorization without a scheme, Bearer is put before it",
    isRepeatable: true,
    isFlagOnly: true,
  },
  port: { value: "N", describe: "port on this machine", default: "a free one" },
  "idle-exit": {
    value: "SECONDS",
    describe: "exit when no request was open for this long, such as 10m",
    default: "off",
  },
};

const { annotate, ...outputOptionSpecs } = meterOptionGroups.output.options;

/** Options of `run` that hold or change messages: `serve` forwards all of them unchanged. */
export const ignoredOptionSpecs: OptionSpecs = { annotate, ...budgetOptionSpecs };

/** The names under which config files set them. */
const ignoredNames = ["budgets", lockedBudgets, ...Object.keys(ignoredOptionSpecs)];

/** Options of `serve`, as help groups them. */
export const serveOptionGroups: readonly OptionGroup[] = [
  { heading: "Server", options: serverOptionSpecs },
  meterOptionGroups.reader,
  { ...meterOptionGroups.output, options: outputOptionSpecs },
  meterOptionGroups.telemetry,
  { heading: "General", options: { config: configOption } },
];

/** Headers of a command line: their values may be secrets. */
export type GivenHeaders = {
  readonly literal: readonly OwnHeader[];
  /** Names of headers, and the variables with their values. */
  readonly fromEnv: readonly (readonly [name: string, variable: string])[];
};

/** The parsed arguments of `serve`. */
export type ServeOptions = MeteringOptions & {
  readonly upstream: Upstream;
  readonly headers: GivenHeaders;
  /** Options of config files that have no effect here. */
  readonly unenforced: readonly string[];
  /** 0 for a free one. */
  readonly port: number;
  /** Milliseconds without a request; undefined to stay. */
  readonly idleExitMs: number | undefined;
};

/** Throws UserError that names the first mistake, and no secret. */
export function parseServeOptions(args: Arguments): ServeOptions {
  const { options: raw, operands, child = [] } = args;
  const [unexpected] = [...operands, ...child];
  if (unexpected !== undefined) throw new UserError(sentences.argumentUnexpected(unexpected));
  const url = textOption(raw, "url");
  if (url === undefined) throw new UserError(sentences.urlMissing());
  const unenforced = ignoredNames.filter((name) => raw[name] !== undefined);
  const metering = Object.fromEntries(
    Object.entries(raw).filter(([name]) => !unenforced.includes(name)),
  );
  return {
    ...parseMeteringOptions({ ...args, options: metering }),
    unenforced,
    upstream: parseUpstream(url, []),
    headers: {
      literal: listOption(raw, "header").map(literalHeader),
      fromEnv: listOption(raw, "header-env").map(variableHeader),
    },
    port: portOption(raw),
    idleExitMs:
      textOption(raw, "idle-exit") === "off" ? undefined : secondsOption(raw, "idle-exit"),
  };
}

function portOption(raw: RawOptions): number {
  const port = countOption(raw, "port", 0) ?? 0;
  if (port <= highestPort) return port;
  const wanted = `a whole number of at most ${highestPort}`;
  throw new UserError(sentences.optionValue("port", String(port), wanted));
}

function literalHeader(text: string): OwnHeader {
  const at = text.indexOf(":");
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && isHeaderName(name) && isHeaderValue(value)) return [name, value];
  throw new UserError(sentences.headerMalformed("header", `a header, such as "X-Team: garden"`));
}

function variableHeader(text: string): readonly [name: string, variable: string] {
  const at = text.indexOf("=");
  const [name, variable] = [text.slice(0, at), text.slice(at + 1)];
  if (at > 0 && isHeaderName(name) && /^[A-Za-z_]\w*$/.test(variable)) return [name, variable];
  const wanted = `a header and a variable, such as "Authorization=TOKEN"`;
  throw new UserError(sentences.headerMalformed("header-env", wanted));
}

/** True for a text that HTTP transmits as it is. */
function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** All headers with their values. Throws UserError for a variable that is not set, or that no header can hold. */
export function headersIn(
  { literal, fromEnv }: GivenHeaders,
  env: Readonly<{ [name: string]: string | undefined }>,
): readonly OwnHeader[] {
  const read = fromEnv.map(([name, variable]): OwnHeader => {
    const value = env[variable]?.trim() ?? "";
    if (value === "" || !isHeaderValue(value)) {
      throw new UserError(sentences.headerVariableMissing(name, variable));
    }
    const isBare = name.toLowerCase() === "authorization" && !/\s/.test(value);
    return [name, isBare ? `Bearer ${value}` : value];
  });
  return [...literal, ...read];
}
