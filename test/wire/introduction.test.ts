import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { nameCharactersMax } from "#kit/limits.ts";
import { readClientIntroduction, readServerIntroduction } from "#wire/message.ts";

const clientMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "host", version: "2" },
};

function named(name: unknown): string | undefined {
  return readClientIntroduction("initialize", { clientInfo: { name } })?.client?.name;
}

describe("readClientIntroduction", () => {
  test("reads initialize", () => {
    const params = { protocolVersion: "2025-11-25", clientInfo: { name: "host", version: "1" } };
    expect(readClientIntroduction("initialize", params)).toEqual({
      era: "legacy",
      client: { name: "host", version: "1" },
      protocolVersion: "2025-11-25",
      showsApps: false,
    });
  });

  test("reads _meta of any modern request", () => {
    expect(readClientIntroduction("tools/call", { _meta: clientMeta })).toEqual({
      era: "modern",
      client: { name: "host", version: "2" },
      protocolVersion: "2026-07-28",
      showsApps: false,
    });
  });

  test.each(["initialize", "tools/list"])(
    "reads in %s that the client shows pages of apps",
    (method) => {
      const capabilities = { extensions: { "io.modelcontextprotocol/ui": {} } };
      const params = {
        capabilities,
        _meta: { ...clientMeta, "io.modelcontextprotocol/clientCapabilities": capabilities },
      };
      expect(readClientIntroduction(method, params)?.showsApps).toBe(true);
    },
  );

  test("learns nothing from a legacy request", () => {
    expect(readClientIntroduction("tools/call", { _meta: { progressToken: 1 } })).toBeUndefined();
    expect(readClientIntroduction("tools/call", undefined)).toBeUndefined();
  });

  test("a name is cut, an empty one is none, one of another type is none", () => {
    expect([named("x".repeat(1_000))?.length, named(""), named(7)]).toEqual([
      nameCharactersMax,
      undefined,
      undefined,
    ]);
  });
});

describe("readServerIntroduction", () => {
  test("reads the handshake of both eras", () => {
    const legacy = {
      protocolVersion: "2025-11-25",
      serverInfo: { name: "s" },
      instructions: "Be kind",
    };
    expect(readServerIntroduction("initialize", legacy)).toEqual({
      server: { name: "s", version: undefined },
      protocolVersion: "2025-11-25",
      instructions: "Be kind",
    });
    const modern = { _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "3" } } };
    expect(readServerIntroduction("server/discover", modern)?.server).toEqual({
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
    expect(readServerIntroduction("tools/call", result)).toEqual({
      server: { name: "s", version: undefined },
      protocolVersion: undefined,
      instructions: undefined,
    });
  });

  test("learns nothing from a plain result", () => {
    expect(readServerIntroduction("tools/call", { content: [] })).toBeUndefined();
  });
});

test("nothing throws, whatever the value", () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom("initialize", "server/discover", "x"),
      (value, method) => {
        readClientIntroduction(method, value);
        readServerIntroduction(method, value);
      },
    ),
  );
});
