import { describe, expect, test } from "bun:test";
import { parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { makeTargetUrl } from "#transport/http/headers.ts";

describe("makeTargetUrl", () => {
  const upstream = parseEndpoint("https://host/mcp?key=1");
  const target = (path: string) =>
    makeTargetUrl(upstream, new URL(`http://127.0.0.1:1${path}`)).href;

  test("is the same path at the server, with the query of its URL where there is none", () => {
    expect(target("/mcp")).toBe("https://host/mcp?key=1");
    expect(target("/MCP/")).toBe("https://host/MCP/?key=1");
    expect(target("/mcp/x")).toBe("https://host/mcp/x");
    expect(target("/mcp?a=2")).toBe("https://host/mcp?a=2");
    expect(target("/.well-known/oauth-protected-resource/mcp")).toBe(
      "https://host/.well-known/oauth-protected-resource/mcp",
    );
    expect(target("//other/mcp")).toBe("https://host//other/mcp");
  });
});
