import type { RiskThresholds } from "#tokens/cost/risk.ts";
import { endpointSecrets } from "#wire/endpoint/endpoint-secrets.ts";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { ServerTarget } from "#check/mcp-client/server-target.ts";
import type { Arguments, OptionSpecs, RawOptions } from "../command.ts";
import { parseReaderOptions, riskOption, type ReaderOptions } from "../reader-options.ts";
import { secondsOption } from "../values.ts";
import {
  endpointWith,
  type GivenEndpoint,
  parseUrlOptions,
  unexpectedOperand,
} from "./url-options.ts";
import { commandSentences } from "../sentences.ts";
import { serverSentences } from "./sentences.ts";

export type GivenServer = { readonly command: readonly string[] } | GivenEndpoint;

export type ServerOptions = {
  readonly server: GivenServer;
  readonly timeoutMs: number;
  readonly reading: ReaderOptions;
  readonly risk: RiskThresholds | undefined;
};

/** `secrets` are values that no output may show. */
export type NamedServer = {
  readonly target: ServerTarget;
  readonly secrets: ReadonlyMap<string, string>;
};

const timeoutSecondsDefault = 30;

export const connectionOptions: OptionSpecs = {
  timeout: {
    value: "SECONDS",
    describe: "most seconds that the server may take to answer",
    default: String(timeoutSecondsDefault),
  },
};

export function parseServerOptions(args: Arguments, name: string): ServerOptions {
  return {
    server: givenServer(args, name),
    timeoutMs: parseTimeout(args.options),
    reading: parseReaderOptions(args.options),
    risk: riskOption(args.options),
  };
}

export function parseTimeout(options: RawOptions): number {
  return secondsOption(options, "timeout") ?? timeoutSecondsDefault * 1000;
}

export function serverCommand(
  { child = [], operands }: Arguments,
  missing: string,
): readonly string[] {
  const [first] = operands;
  if (first !== undefined) throw new UserError(commandSentences.argumentUnexpected(first));
  if (child.length === 0) throw new UserError(missing);
  return child;
}

export function namedServer(given: GivenServer, env: Io["env"]): NamedServer {
  if ("command" in given) return { target: given, secrets: new Map() };
  const endpoint = endpointWith(given, env);
  return { target: { endpoint }, secrets: endpointSecrets(endpoint) };
}

function givenServer(args: Arguments, name: string): GivenServer {
  const { options, operands, child } = args;
  const [first] = operands;
  if (first !== undefined) throw unexpectedOperand(first, name);
  const given = parseUrlOptions(options);
  if (!given) {
    const header = ["header", "header-env"].find((option) => options[option] !== undefined);
    if (header !== undefined) throw new UserError(serverSentences.urlRequired(header));
    return { command: serverCommand(args, serverSentences.serverOrUrlMissing(name)) };
  }
  if (child !== undefined) {
    throw new UserError(
      commandSentences.optionsContradict("--url (or MCP_METER_URL)", "a command after --"),
    );
  }
  return given;
}
