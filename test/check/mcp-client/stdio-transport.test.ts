import { expect, test } from "bun:test";
import { Traffic } from "#check/mcp-client/traffic.ts";
import { foreignLinesMax } from "#check/mcp-client/failure.ts";
import { StdioTransport } from "#check/mcp-client/transports.ts";
import type { Side } from "#wire/message.ts";
import { rejectionOf } from "../../support/folder.ts";
import { realIo, Spawned } from "./host.ts";

const shell = (script: string, handle: (from: Side) => void = () => undefined): StdioTransport =>
  new StdioTransport({ command: ["sh", "-c", script] }, realIo, new Traffic(handle));

async function readMessages(transport: StdioTransport): Promise<unknown[]> {
  const messages: unknown[] = [];
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  Object.assign(transport, {
    onmessage: (message: unknown) => void messages.push(message),
    onclose: resolve,
  });
  await transport.start();
  await closed;
  await transport.close();
  return messages;
}

test("StdioTransport delivers messages, and counts lines that are none", async () => {
  const message = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const transport = shell(
    `echo hello; echo; echo '${message}'; echo '${message}'; echo '${message}'`,
  );
  expect(await readMessages(transport)).toHaveLength(3);
  expect(transport.traffic.foreignLineCount).toBe(1);
  expect([transport.life, transport.exit]).toEqual(["ended-by-itself", "ended with code 0"]);
  expect(transport.traffic.receivedBytes).toBe(3 * message.length + 10);
});

test.each([
  ["\uFEFF%", "byte_order_mark"],
  ["[%]", "batch"],
  ['[{"jsonrpc":"2.0","method":"a"},%]', "batch"],
  ['{"jsonrpc":"2.0","id":7,"result":{"a":NaN}}', "not_json"],
  ['{"jsonrpc":"2.0","id":7,"result":{"_meta":"a"}}', "meta"],
  ['{"jsonrpc":"2.0","id":7,"result":{},"a":1}', "not_response"],
] as const)("StdioTransport answers for a result that clients ignore: %s", async (form, cause) => {
  const line = form.replace("%", '{"jsonrpc":"2.0","id":7,"result":{}}');
  const transport = shell(`echo '${line}'`);
  expect(await readMessages(transport)).toMatchObject([{ id: 7, error: { code: -31_901 } }]);
  expect(transport.traffic.unreadableAnswer).toMatchObject({ requestId: 7, cause });
});

test("StdioTransport leaves out requests and notifications that clients ignore", async () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const transport = shell(`echo '[${ping}]'; printf '\\357\\273\\277%s\\n' '${ping}'`);
  expect(await readMessages(transport)).toEqual([]);
  expect(transport.traffic.unreadableAnswer).toBeUndefined();
});

test("StdioTransport answers for a result that is too deep to read", async () => {
  const deep = "[".repeat(600) + "]".repeat(600);
  const transport = shell(`echo '{"jsonrpc":"2.0","id":"x","result":${deep}}'`);
  expect(await readMessages(transport)).toMatchObject([{ id: "x", error: { code: -31_901 } }]);
});

test("StdioTransport hands every line of both directions to its handler", async () => {
  const sides: Side[] = [];
  const transport = shell("read -r line; echo hello", (from) => sides.push(from));
  await transport.start();
  await transport.send({ jsonrpc: "2.0", id: 7, method: "ping" });
  expect(transport.traffic.lastRequestId).toBe(7);
  await transport.close();
  expect(sides).toEqual(["client", "server"]);
});

test("StdioTransport ends a server that writes more foreign lines than are read", async () => {
  using spawned = new Spawned();
  const transport = shell("exec yes");
  await readMessages(transport);
  expect(transport.traffic.foreignLineCount).toBe(foreignLinesMax + 1);
  expect([transport.life, await spawned.living()]).toEqual(["ended-by-us", []]);
});

test("StdioTransport skips a message that its reader throws at", async () => {
  const transport = shell(
    `for id in 1 2; do echo '{"jsonrpc":"2.0","id":'$id',"result":{}}'; done`,
  );
  const errors: string[] = [];
  const ids: unknown[] = [];
  Object.assign(transport, {
    onerror: (error: Error) => void errors.push(error.message),
    onmessage: (message: object) => {
      ids.push(Reflect.get(message, "id"));
      throw new Error(`cannot take message ${ids.length}`);
    },
  });
  await transport.start();
  await transport.close();
  expect(ids).toEqual([1, 2]);
  expect(errors).toEqual(["cannot take message 1", "cannot take message 2"]);
});

test("StdioTransport ends the server when a line cannot be handled, and close says so", async () => {
  using spawned = new Spawned();
  const transport = shell("echo hello; exec sleep 300", () => {
    throw new Error("the handler failed");
  });
  const closed = Promise.withResolvers<void>();
  Object.assign(transport, { onclose: closed.resolve });
  await transport.start();
  await closed.promise;
  expect(await rejectionOf(transport.close())).toBe("Error: the handler failed");
  expect([transport.life, await spawned.living()]).toEqual(["ended-by-us", []]);
});

test("StdioTransport sends to a server that has exited without an error", async () => {
  const transport = shell("exit 0");
  await readMessages(transport);
  await transport.send({ jsonrpc: "2.0", method: "notifications/x" });
  await transport.kill();
});
