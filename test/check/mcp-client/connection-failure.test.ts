import { expect, test } from "bun:test";
import { parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import { explainConnectionFailure } from "#check/mcp-client/connection.ts";
import { RefusedRequest, TimeoutError, UnusableAnswer } from "#check/mcp-client/failure.ts";
import { ServerFailure } from "#check/mcp-client/stdio-server.ts";
import { openTransport } from "#check/mcp-client/transports.ts";
import { Traffic } from "#check/mcp-client/traffic.ts";
import { realIo } from "./host.ts";

const redact = (text: string): string => text.replaceAll("secret", "S");

const started = { command: ["server"] };
const reached = { endpoint: parseEndpoint("https://host/mcp") };

function explainFailure(error: unknown, target: typeof started | typeof reached, greeted?: string) {
  const transport = openTransport(target, realIo, new Traffic(() => undefined));
  return explainConnectionFailure(error, {
    target,
    transport,
    serverName: greeted,
    timeoutMs: 2_000,
    redact,
  });
}

const refused = new RefusedRequest("tools/list", -32_603, "no");
const useless = new UnusableAnswer("its list of tools has no end");

test.each([
  ["a refusal", refused, started, "a secret", 'The server "a S" refused tools/list: no (-32603)'],
  [
    "a list of a process",
    useless,
    started,
    undefined,
    'The server "server" failed: its list of tools has no end',
  ],
  [
    "a list of a site",
    useless,
    reached,
    undefined,
    "Cannot connect to https://host/mcp: its list of tools has no end; pass the URL of a Streamable HTTP MCP server",
  ],
  [
    "a list of a server",
    useless,
    reached,
    "raw",
    'The server "raw" failed: its list of tools has no end',
  ],
  [
    "silence",
    new TimeoutError(),
    reached,
    undefined,
    "Cannot connect to https://host/mcp: it did not answer within 2 s; pass the URL of a Streamable HTTP MCP server",
  ],
  [
    "any other error",
    new Error("a secret word"),
    started,
    "s",
    'The server "s" failed: its answer is not valid: a S word',
  ],
])("%s is one sentence", (_, error, target, greeted, sentence) => {
  const failure = explainFailure(error, target, greeted);
  expect([failure.message, failure.exitCode]).toEqual([sentence, exitCodes.serverUnreachable]);
  expect(failure).toBeInstanceOf(ServerFailure);
});

test("a sentence of its own stays", () => {
  const userError = new UserError("Cannot reach it", exitCodes.serverUnreachable);
  expect(explainFailure(userError, reached)).toBe(userError);
});
