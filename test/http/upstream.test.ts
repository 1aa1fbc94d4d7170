import { describe, expect, test } from "bun:test";
import { parseEndpoint } from "#endpoint/mcp-endpoint.ts";
import { isEndpoint, targetOf } from "#http/upstream.ts";

describe("targetOf", () => {
  const upstream = parseEndpoint("https://host/mcp?key=1");
  const at = (path: string) => isEndpoint(upstream, new URL(`http://127.0.0.1:1${path}`));
  const target = (path: string) => targetOf(upstream, new URL(`http://127.0.0.1:1${path}`)).href;

  test("is the same path at the server, with the query of its URL where there is none", () => {
    expect(target("/mcp")).toBe("https://host/mcp?key=1");
    expect(target("/mcp?a=2")).toBe("https://host/mcp?a=2");
    expect(target("/.well-known/oauth-protected-resource/mcp")).toBe(
      "https://host/.well-known/oauth-protected-resource/mcp",
    );
    expect(target("//other/mcp")).toBe("https://host//other/mcp");
  });

  test("only the path of the URL is the endpoint", () => {
    expect([at("/mcp"), at("/mcp?a"), at("/mcp/"), at("/")]).toEqual([true, true, false, false]);
  });
});
