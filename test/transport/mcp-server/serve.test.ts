import { expect, test } from "bun:test";
import { serve } from "#transport/mcp-server/serve.ts";
import { rejectionOf } from "../../support/folder.ts";
import { rpcPipes } from "../../support/rpc-pipes.ts";

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const opening = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "c", version: "1" },
};

test("serves both eras, and resolves when the client disconnected", async () => {
  const old = rpcPipes();
  old.send({ id: 1, method: "initialize", params: opening }, { id: 2, method: "tools/list" });
  await Promise.all([serve([], old, () => undefined), old.endAfter(2)]);
  expect(old.received().map(({ id, result }) => [id, result])).toMatchObject([
    [1, { protocolVersion: "2025-06-18", serverInfo: { name: "mcp-meter" } }],
    [2, { tools: [] }],
  ]);

  const fresh = rpcPipes();
  fresh.send({ id: 1, method: "server/discover", params: { _meta: modern } });
  fresh.send({ id: 2, method: "tools/list", params: { _meta: modern } });
  await Promise.all([serve([], fresh, () => undefined), fresh.endAfter(2)]);
  expect(fresh.received().map(({ id, result }) => [id, result])).toMatchObject([
    [1, { supportedVersions: ["2026-07-28"] }],
    [2, { tools: [], resultType: "complete" }],
  ]);
});

test("lines that are not messages are skipped, and the next one is answered", async () => {
  const pipes = rpcPipes();
  pipes.sendRaw(
    `garbage\n[]\n[1,2]\n7\n\n \n{"jsonrpc":"2.0","id":1,"method":"ping","params":7}\n`,
  );
  pipes.send({ id: 2, method: "initialize", params: opening });
  await Promise.all([serve([], pipes, () => undefined), pipes.endAfter(1)]);
  expect(pipes.received().map(({ id }) => id)).toEqual([2]);
});

test("a line that never ends is a sentence", async () => {
  const pipes = rpcPipes();
  const served = rejectionOf(serve([], pipes, () => undefined));
  for (let megabytes = 0; megabytes < 11; megabytes += 1) pipes.sendRaw("x".repeat(1024 * 1024));
  expect(await served).toBe("UserError: Cannot read stdin: a line is too long");
});

function failing(code: string): Promise<void> {
  const pipes = rpcPipes(Object.assign(new Error(code), { code }));
  pipes.send({ id: 1, method: "initialize", params: opening });
  return serve([], pipes, () => undefined);
}

test("a client that reads no more ends it, and a disk that is full is a sentence", async () => {
  await failing("EPIPE");
  expect(await rejectionOf(failing("ENOSPC"))).toBe(
    "UserError: Cannot write to stdout: no space left on the disk",
  );
});

test("a stdin that cannot be read is a sentence", async () => {
  const pipes = rpcPipes();
  pipes.fail(Object.assign(new Error("is a directory"), { code: "EISDIR" }));
  expect(await rejectionOf(serve([], pipes, () => undefined))).toBe(
    "UserError: Cannot read stdin: it is a directory",
  );
});
