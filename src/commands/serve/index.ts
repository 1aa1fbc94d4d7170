import { UserError } from "#kit/errors.ts";
import {
  defineCommand,
  type Arguments,
  type OptionGroup,
  type OptionSpecs,
  type RawOptions,
} from "../command.ts";
import {
  processOptionSpecs,
  configOption,
  meterOptionGroups,
  parseMeteringOptions,
} from "../run/options.ts";
import { parseUrlOptions, makeOperandError, urlOptionSpecs } from "../connection-options.ts";
import { userHeaderOption } from "../run/identity-options.ts";
import { parsePort, readText } from "../option-values.ts";
import { isHeaderName } from "#wire/endpoint/mcp-endpoint.ts";
import type { ServeOptions } from "./command.ts";

const serverOptionSpecs: OptionSpecs = {
  ...urlOptionSpecs,
  port: { value: "N", description: "port on this machine", default: "any free port" },
  "user-header": userHeaderOption,
};

const serveOptionGroups: readonly OptionGroup[] = [
  { heading: "Server", options: serverOptionSpecs, rare: ["header", "user-header"] },
  ...Object.values(meterOptionGroups),
  { heading: "General", options: { config: configOption } },
];

/** Errors must not quote the URL or a header's value, which may contain secrets. */
export function parseServeOptions(args: Arguments): ServeOptions {
  const { options: raw, operands, child } = args;
  const [unexpected] = operands;
  if (unexpected !== undefined) throw makeOperandError(unexpected, "serve");
  if (child !== undefined) throw new UserError(serveOptionSentences.commandUnexpected());
  const upstream = parseUrlOptions(raw);
  if (!upstream) throw new UserError(serveOptionSentences.urlMissing());
  return {
    ...parseMeteringOptions(args),
    upstream,
    port: parsePort(raw),
    userHeader: parseUserHeader(raw),
  };
}

const serveOptionSentences = {
  urlMissing: () =>
    `missing server; name it with --url, as in "mcp-meter serve --url https://example.com/mcp"`,
  commandUnexpected: () =>
    `"mcp-meter serve" meters a URL and takes no command after --; to meter a server on stdio, omit "serve", as in "mcp-meter -- npx -y some-server"`,
  userHeaderUnsuitable: (name: string) =>
    `--user-header must be the name of a header that names a user and holds no secret, such as X-User${name === "" ? "" : `, not "${name}"`}`,
} as const;

function parseUserHeader(raw: RawOptions): string | undefined {
  const name = readText(raw, "user-header");
  if (name === undefined || isUserHeader(name)) return name;
  throw new UserError(serveOptionSentences.userHeaderUnsuitable(isHeaderName(name) ? name : ""));
}

// The value of the header goes into records as the user's name, so headers with secrets are unsuitable. Headers that do
// not identify a user, such as `Host`, are unsuitable too.
const unsuitableHeaders =
  /^(?:(?:proxy-)?authorization|cookie|.*(?:token|secret|api-?key|password).*|mcp-.*|content-.*|accept.*|host|last-event-id|origin|user-agent)$/i;

function isUserHeader(text: string): boolean {
  return isHeaderName(text) && !unsuitableHeaders.test(text);
}

export const serveCommand = defineCommand({
  name: "serve",
  summary: "Meter a server behind a URL; clients connect to a local address",
  usage: "mcp-meter serve --url URL [options]",
  groups: serveOptionGroups,
  examples: [
    ["mcp-meter serve --url https://example.com/mcp --port 4321", "meter a server behind a URL"],
    [
      "mcp-meter serve --url https://example.com/mcp --header-env Authorization=TOKEN",
      "send the token in the variable TOKEN with every request",
    ],
    [
      "mcp-meter serve --url https://example.com/mcp --budget 500k/session",
      "limit each session to 500,000 tokens",
    ],
  ],
  exits: [
    ["0", "a signal ended mcp-meter"],
    ["2", "invalid options, or the port is in use"],
  ],
  readsConfig: true,
  ignoredInConfig: processOptionSpecs,
  parse: parseServeOptions,
  load: async () => (await import("./command.ts")).serve,
});
