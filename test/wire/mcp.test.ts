import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { nameCharactersMax } from "#limits.ts";
import * as mcp from "#wire/mcp.ts";

const clientMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "host", version: "2" },
};

function named(name: unknown): string | undefined {
  return mcp.introducedClient("initialize", { clientInfo: { name } })?.client?.name;
}

describe("introducedClient", () => {
  test("reads initialize", () => {
    const params = { protocolVersion: "2025-11-25", clientInfo: { name: "host", version: "1" } };
    expect(mcp.introducedClient("initialize", params)).toEqual({
      era: "legacy",
      client: { name: "host", version: "1" },
      protocolVersion: "2025-11-25",
    });
  });

  test("reads _meta of any modern request", () => {
    expect(mcp.introducedClient("tools/call", { _meta: clientMeta })).toEqual({
      era: "modern",
      client: { name: "host", version: "2" },
      protocolVersion: "2026-07-28",
    });
  });

  test("learns nothing from a legacy request", () => {
    expect(mcp.introducedClient("tools/call", { _meta: { progressToken: 1 } })).toBeUndefined();
    expect(mcp.introducedClient("tools/call", undefined)).toBeUndefined();
  });

  test("a name is cut, an empty one is none, one of another type is none", () => {
    expect([named("x".repeat(1_000))?.length, named(""), named(7)]).toEqual([
      nameCharactersMax,
      undefined,
      undefined,
    ]);
  });
});

describe("introducedServer", () => {
  test("reads the handshake of both eras", () => {
    const legacy = {
      protocolVersion: "2025-11-25",
      serverInfo: { name: "s" },
      instructions: "Be kind",
    };
    expect(mcp.introducedServer("initialize", legacy)).toEqual({
      server: { name: "s", version: undefined },
      protocolVersion: "2025-11-25",
      instructions: "Be kind",
    });
    const modern = { _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "3" } } };
    expect(mcp.introducedServer("server/discover", modern)?.server).toEqual({
      name: "s",
      version: "3",
    });
  });

  test("reads the server of any modern result, but no instructions there", () => {
    const result = {
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "s" } },
      instructions: "obey",
      protocolVersion: "9",
    };
    expect(mcp.introducedServer("tools/call", result)).toEqual({
      server: { name: "s", version: undefined },
      protocolVersion: undefined,
      instructions: undefined,
    });
  });

  test("learns nothing from a plain result", () => {
    expect(mcp.introducedServer("tools/call", { content: [] })).toBeUndefined();
  });
});

test("cancelledId takes texts and numbers", () => {
  const found = [{ requestId: 1 }, { requestId: "1" }, { requestId: null }, {}, 7].map(
    mcp.cancelledId,
  );
  expect(found).toEqual([{ value: 1 }, { value: "1" }, undefined, undefined, undefined]);
});

describe("tasks", () => {
  const rows: readonly (readonly [what: string, result: unknown, taskId: string | undefined])[] = [
    ["2025-11-25", { task: { taskId: "t", status: "working" } }, "t"],
    ["2026", { resultType: "task", taskId: "t", status: "working" }, "t"],
    [
      "a result with content and a task of its own",
      { content: [], task: { taskId: "t" } },
      undefined,
    ],
    ["a plain result", { content: [] }, undefined],
    ["an id that is no text", { task: { taskId: 7 } }, undefined],
    ["an id too long", { task: { taskId: "t".repeat(nameCharactersMax + 1) } }, undefined],
    [
      "the longest id",
      { task: { taskId: "t".repeat(nameCharactersMax) } },
      "t".repeat(nameCharactersMax),
    ],
  ];
  for (const [what, result, taskId] of rows) {
    test(`createdTask of ${what}`, () => {
      expect(mcp.createdTask(result)?.taskId).toBe(taskId);
    });
  }

  test("taskState keeps status, result and error", () => {
    expect(mcp.taskState({ taskId: "t", status: "completed", result: { a: 1 } })).toEqual({
      taskId: "t",
      status: "completed",
      result: { a: 1 },
      error: undefined,
    });
  });
});

describe("multi-round trips", () => {
  test("inputRequired reads what the server asks for", () => {
    const result = { resultType: "input_required", requestState: "s", inputRequests: { a: {} } };
    expect(mcp.inputRequired(result)).toEqual({ requestState: "s", entries: { a: {} } });
    expect(mcp.inputRequired({ resultType: "complete" })).toBeUndefined();
  });

  test("inputProvided reads what the client answers, either of both", () => {
    expect(mcp.inputProvided({ requestState: "s" })).toEqual({
      requestState: "s",
      entries: undefined,
    });
    expect(mcp.inputProvided({ inputResponses: {} })).toEqual({
      requestState: undefined,
      entries: {},
    });
    expect(mcp.inputProvided({ name: "search" })).toBeUndefined();
  });
});

test("withoutMeta drops _meta and nothing else", () => {
  expect(mcp.withoutMeta({ a: 1, _meta: { b: 2 } })).toEqual({ a: 1 });
  expect(["text", null, [1], undefined].map(mcp.withoutMeta)).toEqual([
    "text",
    null,
    [1],
    undefined,
  ]);
});

test("nothing throws, whatever the value", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom("initialize", "server/discover", "x"),
      (value, method) => {
        mcp.introducedClient(method, value);
        mcp.introducedServer(method, value);
        for (const read of [mcp.cancelledId, mcp.createdTask, mcp.taskState, mcp.inputRequired])
          read(value);
        mcp.inputProvided(value);
      },
    ),
  );
});
