import {
  type Introductions,
  noIntroductions,
  addClient,
  addServer,
} from "#meter/session/participants.ts";
import { expect, test } from "bun:test";
import { readClientIntroduction, readServerIntroduction } from "#wire/message.ts";

function afterRequest(known: Introductions, method: string, params: unknown): Introductions {
  const introduction = readClientIntroduction(method, params);
  return introduction ? addClient(known, introduction) : known;
}

function afterResult(known: Introductions, method: string, result: unknown): Introductions {
  const introduction = readServerIntroduction(method, result);
  return introduction ? addServer(known, introduction) : known;
}

const legacy = { protocolVersion: "2025-11-25", clientInfo: { name: "old host", version: "1" } };

test("a request that tells nothing changes nothing", () => {
  expect(afterRequest(noIntroductions, "tools/call", {})).toBe(noIntroductions);
  expect(afterResult(noIntroductions, "tools/call", {})).toBe(noIntroductions);
});

test("the server's answer decides the version, and what is known stays known", () => {
  const asked = afterRequest(noIntroductions, "initialize", legacy);
  const answered = afterResult(asked, "initialize", {
    protocolVersion: "2025-06-18",
    serverInfo: { name: "garden" },
    instructions: "Water it",
  });
  expect(answered).toMatchObject({ protocolVersion: "2025-06-18", server: { name: "garden" } });
  expect(afterResult(answered, "initialize", {})).toEqual(answered);
  const renamed = {
    _meta: { clientInfo: {}, "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
  };
  expect(afterRequest(answered, "ping", renamed)).toMatchObject({
    client: { name: "old host" },
    instructions: "Water it",
  });
});
