import { type McpEndpoint, parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import {
  isConnectionHeader,
  isHeaderName,
  isHeaderValue,
  type OwnHeader,
} from "#wire/endpoint/own-header.ts";
import { UserError } from "#kit/errors.ts";
import { isUrlOfHttp } from "#kit/text/http-url.ts";
import type { OptionGroup, OptionSpecs, RawOptions } from "../command.ts";
import { listOption, textOption } from "../values.ts";
import { commandSentences } from "../sentences.ts";
import { serverSentences } from "./sentences.ts";

export const urlOptionSpecs: OptionSpecs = {
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
};

export const urlOptionGroup: OptionGroup = {
  heading: "Server behind a URL",
  options: urlOptionSpecs,
};

/** URL and header values may be secrets. */
export type GivenEndpoint = {
  readonly endpoint: McpEndpoint;
  readonly literal: readonly OwnHeader[];
  readonly fromEnv: readonly (readonly [name: string, variable: string])[];
};

export function parseUrlOptions(raw: RawOptions): GivenEndpoint | undefined {
  const url = textOption(raw, "url");
  if (url === undefined) return undefined;
  return {
    endpoint: parseEndpoint(url),
    literal: listOption(raw, "header").map(literalHeader),
    fromEnv: listOption(raw, "header-env").map(variableHeader),
  };
}

function literalHeader(text: string): OwnHeader {
  const at = text.indexOf(":");
  const [name, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at > 0 && isHeaderName(name) && isHeaderValue(value)) {
    refuseOfConnection("header", name);
    return [name, value];
  }
  throw new UserError(
    serverSentences.headerMalformed("header", `a header, such as "X-Team: garden"`),
  );
}

function variableHeader(text: string): readonly [name: string, variable: string] {
  const at = text.indexOf("=");
  const [name, variable] = [text.slice(0, at), text.slice(at + 1)];
  if (at > 0 && isHeaderName(name) && /^[A-Za-z_]\w*$/.test(variable)) {
    refuseOfConnection("header-env", name);
    return [name, variable];
  }
  const wanted = `a header and a variable, such as "Authorization=TOKEN"`;
  throw new UserError(serverSentences.headerMalformed("header-env", wanted));
}

function refuseOfConnection(option: string, name: string): void {
  if (isConnectionHeader(name))
    throw new UserError(serverSentences.headerOfConnection(option, name));
}

/** For a word before `--` that a command with --url does not take; a URL may be a secret. */
export function unexpectedOperand(word: string, command: string): UserError {
  return new UserError(
    isUrlOfHttp(word)
      ? serverSentences.urlUnnamed(command)
      : commandSentences.argumentUnexpected(word),
  );
}

export function endpointWith(
  { endpoint, literal, fromEnv }: GivenEndpoint,
  env: Readonly<{ [name: string]: string | undefined }>,
): McpEndpoint {
  const read = fromEnv.map(([name, variable]): OwnHeader => {
    const value = env[variable]?.trim() ?? "";
    if (value === "" || !isHeaderValue(value)) {
      throw new UserError(serverSentences.headerVariableMissing(name, variable));
    }
    const isBare = name.toLowerCase() === "authorization" && !/\s/.test(value);
    return [name, isBare ? `Bearer ${value}` : value];
  });
  return { ...endpoint, headers: [...endpoint.headers, ...literal, ...read] };
}
