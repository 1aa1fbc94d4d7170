import type { RiskThresholds } from "#tokens/cost/risk.ts";
import {
  listEndpointSecrets,
  type McpEndpoint,
  parseEndpoint,
  isConnectionHeader,
  isHeaderName,
  isHeaderValue,
  type HeaderPair,
} from "#wire/endpoint/mcp-endpoint.ts";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { ResolvedServer } from "#check/mcp-client/visit.ts";
import type { Arguments, OptionSpecs, RawOptions, OptionGroup } from "./command.ts";
import { parseReaderOptions, parseRisk, type ReaderOptions } from "./reader-options.ts";
import {
  makeConflict,
  rejectArguments,
  parseDurationMs,
  readList,
  readText,
} from "./option-values.ts";
import { commandSentences, exampleCommand } from "./sentences.ts";
import { isHttpUrl } from "#kit/text/http-url.ts";

type RequestedServer = { readonly command: readonly string[] } | RequestedEndpoint;

export type ServerOptions = {
  readonly server: RequestedServer;
  readonly timeoutMs: number;
  readonly reading: ReaderOptions;
  readonly risk: RiskThresholds | undefined;
};

const timeoutSecondsDefault = 30;

export const connectionOptions: OptionSpecs = {
  timeout: {
    value: "SECONDS",
    description: "maximum seconds that the server may take to answer",
    default: String(timeoutSecondsDefault),
  },
};

export function parseServerOptions(args: Arguments, commandName: string): ServerOptions {
  return {
    server: parseServer(args, commandName),
    timeoutMs: parseTimeout(args.options),
    reading: parseReaderOptions(args.options),
    risk: parseRisk(args.options),
  };
}

export function parseTimeout(options: RawOptions): number {
  return parseDurationMs(options, "timeout") ?? timeoutSecondsDefault * 1000;
}

export function parseServerCommand(
  { child = [], operands }: Arguments,
  missingSentence: string,
): readonly string[] {
  rejectArguments(operands);
  if (child.length === 0) throw new UserError(missingSentence);
  return child;
}

export function resolveServer(
  { server, timeoutMs }: Pick<ServerOptions, "server" | "timeoutMs">,
  env: Io["env"],
): ResolvedServer {
  if ("command" in server) return { target: server, secrets: new Map(), timeoutMs };
  const endpoint = resolveEndpoint(server, env);
  return { target: { endpoint }, secrets: listEndpointSecrets(endpoint), timeoutMs };
}

function parseServer(args: Arguments, commandName: string): RequestedServer {
  const { options, operands, child } = args;
  const unexpected = operands[0] ?? child?.slice(0, 1).find(isHttpUrl);
  if (unexpected !== undefined) throw makeOperandError(unexpected, commandName);
  const endpoint = parseUrlOptions(options);
  if (!endpoint) {
    const header = ["header", "header-env"].find((option) => options[option] !== undefined);
    if (header !== undefined) throw new UserError(commandSentences.optionRequires(header, "url"));
    return { command: parseServerCommand(args, serverSentences.serverOrUrlMissing(commandName)) };
  }
  if (child !== undefined) throw makeConflict("--url", "a command after --");
  return endpoint;
}

export const urlOptionSpecs: OptionSpecs = {
  url: { value: "URL", description: "the server's Streamable HTTP endpoint", isSecret: true },
  header: {
    value: "HEADER",
    description: "send this header with every request, as in 'X-Team: garden'",
    isRepeatable: true,
    isCommandLineOnly: true,
    isSecret: true,
  },
  "header-env": {
    value: "NAME=VARIABLE",
    description:
      "send a header with the value of a variable; for Authorization without a scheme, Bearer is prepended",
    isRepeatable: true,
    isCommandLineOnly: true,
  },
};

export const urlOptionGroup: OptionGroup = {
  heading: "Server behind a URL",
  rare: ["header"],
  options: urlOptionSpecs,
};

export type RequestedEndpoint = {
  readonly endpoint: McpEndpoint;
  readonly literalHeaders: readonly HeaderPair[];
  readonly headerVariables: readonly (readonly [name: string, variable: string])[];
};

export function parseUrlOptions(raw: RawOptions): RequestedEndpoint | undefined {
  const url = readText(raw, "url");
  if (url === undefined) return undefined;
  return {
    endpoint: parseEndpoint(url),
    literalHeaders: readList(raw, "header").map(parseHeader),
    headerVariables: readList(raw, "header-env").map(parseVariableHeader),
  };
}

function parseHeader(text: string): HeaderPair {
  const at = text.indexOf(":");
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && isHeaderName(name) && isHeaderValue(value)) {
    rejectConnectionHeader("header", name);
    return [name, value];
  }
  throw new UserError(
    serverSentences.headerMalformed("header", `a header, such as "X-Team: garden"`),
  );
}

function parseVariableHeader(text: string): readonly [name: string, variable: string] {
  const at = text.indexOf("=");
  const [name, variable] = [text.slice(0, at), text.slice(at + 1)];
  if (at > 0 && isHeaderName(name) && /^[A-Za-z_]\w*$/.test(variable)) {
    rejectConnectionHeader("header-env", name);
    return [name, variable];
  }
  const wanted = `the names of a header and a variable, such as "Authorization=TOKEN"`;
  throw new UserError(serverSentences.headerMalformed("header-env", wanted));
}

function rejectConnectionHeader(option: string, name: string): void {
  if (isConnectionHeader(name))
    throw new UserError(serverSentences.headerOfConnection(option, name));
}

// The sentence does not quote a URL, which may contain a secret.
export function makeOperandError(word: string, commandName: string): UserError {
  return new UserError(
    isHttpUrl(word)
      ? serverSentences.urlWithoutOption(commandName)
      : commandSentences.argumentUnexpected(word),
  );
}

export function resolveEndpoint(
  { endpoint, literalHeaders, headerVariables }: RequestedEndpoint,
  env: Readonly<{ [name: string]: string | undefined }>,
): McpEndpoint {
  const variableHeaders = headerVariables.map(([name, variable]): HeaderPair => {
    const value = env[variable]?.trim() ?? "";
    if (value === "" || !isHeaderValue(value)) {
      throw new UserError(serverSentences.headerVariableMissing(name, variable));
    }
    const hasNoScheme = name.toLowerCase() === "authorization" && !/\s/.test(value);
    return [name, hasNoScheme ? `Bearer ${value}` : value];
  });
  return { ...endpoint, headers: [...endpoint.headers, ...literalHeaders, ...variableHeaders] };
}

const serverSentences = {
  headerMalformed: (option: string, wanted: string) => `--${option} must be ${wanted}`,
  headerVariableMissing: (header: string, variable: string) =>
    `Cannot send the header "${header}": the variable ${variable} is not set, is empty, or contains a character that no header may have`,
  urlWithoutOption: (command: string) =>
    `unexpected argument; name a URL with --url, as in "mcp-meter ${command} --url https://example.com/mcp"`,
  headerOfConnection: (option: string, header: string) =>
    `--${option} cannot send "${header}": this header controls the connection`,
  serverOrUrlMissing: (command: string) =>
    `missing server; put its command after --, as in "mcp-meter ${command} -- ${exampleCommand}", or name its URL with --url`,
} as const;
