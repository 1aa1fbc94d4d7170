import { expect, test } from "bun:test";
import { serve } from "#mcp-server/serve.ts";
import { rejectionOf } from "../support/folder.ts";
import { rpcPipes } from "../support/rpc-pipes.ts";

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("serves both eras, and resolves when the client has left", async () => {
  const opening = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  };
  const old = rpcPipes();
  old.send({ id: 1, method: "initialize", params: opening }, { id: 2, method: "tools/list" });
  old.end();
  await serve([], old, () => undefined);
  expect(old.received().map(({ id, result }) => [id, result])).toMatchObject([
    [1, { protocolVersion: "2025-06-18", serverInfo: { name: "mcp-meter" } }],
    [2, { tools: [] }],
  ]);

  const fresh = rpcPipes();
  fresh.send({ id: 1, method: "server/discover", params: { _meta: modern } });
  fresh.send({ id: 2, method: "tools/list", params: { _meta: modern } });
  fresh.end();
  await serve([], fresh, () => undefined);
  expect(fresh.received().map(({ id, result }) => [id, result])).toMatchObject([
    [1, { supportedVersions: ["2026-07-28"] }],
    [2, { tools: [], resultType: "complete" }],
  ]);
});

test("a stdin that cannot be read is a sentence", async () => {
  const pipes = rpcPipes();
  pipes.fail(Object.assign(new Error("is a directory"), { code: "EISDIR" }));
  expect(await rejectionOf(serve([], pipes, () => undefined))).toBe(
    "UserError: Cannot read stdin: it is a directory",
  );
});
