import { expect, test } from "bun:test";
import { CallMeter } from "#commands/check/call-meter.ts";
import { parseServerOptions } from "#commands/server/server-options.ts";
import { parseEndpoint } from "#endpoint/mcp-endpoint.ts";
import { LineSplitter } from "#wire/line.ts";
import { bytesOf } from "../../support/bytes.ts";

const options = {
  ...parseServerOptions({ options: {}, operands: [], child: ["server"] }, "check"),
  target: { command: ["/bin/server"] },
};

function lineOf(message: object) {
  const [line] = new LineSplitter().push(bytesOf(`${JSON.stringify(message)}\n`));
  return line ?? expect.unreachable();
}

const request = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t" } };
const answer = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "hello" }] } };

async function recordsOf(meter: CallMeter): Promise<unknown[]> {
  const handle = meter.start();
  handle("client", lineOf(request));
  handle("server", lineOf(answer));
  return (await meter.finish()).map(({ type }) => type);
}

test("CallMeter records what the meter of run records", async () => {
  const meter = new CallMeter(options, () => expect.unreachable());
  expect(await recordsOf(meter)).toEqual(["session", "call", "end"]);
});

test.each([
  [options.target, "server"],
  [{ endpoint: parseEndpoint("https://me:word@host:8443/mcp?key=1") }, "host:8443"],
])("CallMeter names the server by its program or host: %j", async (target, command) => {
  const meter = new CallMeter({ ...options, target }, () => expect.unreachable());
  await recordsOf(meter);
  const [session] = await meter.finish();
  expect(session).toMatchObject({ type: "session", command });
});

test("CallMeter drops the records of a server that was started again", async () => {
  const meter = new CallMeter(options, () => expect.unreachable());
  meter.start()("client", lineOf(request));
  expect(await recordsOf(meter)).toEqual(["session", "call", "end"]);
});

test("CallMeter without a line has no records", async () => {
  expect(await new CallMeter(options, () => expect.unreachable()).finish()).toEqual([]);
});
