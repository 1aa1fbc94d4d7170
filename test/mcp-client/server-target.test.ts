import { expect, test } from "bun:test";
import { parseEndpoint } from "#endpoint/mcp-endpoint.ts";
import { HttpTransport } from "#mcp-client/http-transport.ts";
import { cannotConnect, isRemote, openTransport, targetName } from "#mcp-client/server-target.ts";
import { StdioTransport } from "#mcp-client/stdio-transport.ts";
import { Traffic } from "#mcp-client/traffic.ts";
import { realIo } from "./host.ts";

const started = { command: ["server", "--key=secret"] };
const reached = { endpoint: parseEndpoint("https://me:word@host/mcp?key=secret") };

test("a command and an endpoint each have a transport and a name of their own", () => {
  const traffic = new Traffic(() => undefined);
  expect(openTransport(started, realIo, traffic)).toBeInstanceOf(StdioTransport);
  expect(openTransport(reached, realIo, traffic)).toBeInstanceOf(HttpTransport);
  expect([isRemote(started), isRemote(reached)]).toEqual([false, true]);
  expect([targetName(started), targetName(reached)]).toEqual(["server", "https://host/mcp"]);
});

test("the sentence names what the server has to be", () => {
  expect(cannotConnect(started, "it failed")).toBe(
    'Cannot connect to "server": it failed; it must be an MCP server on stdin and stdout',
  );
  expect(cannotConnect(reached, "it failed")).toBe(
    "Cannot connect to https://host/mcp: it failed; it must be the URL of an MCP server of Streamable HTTP",
  );
});
