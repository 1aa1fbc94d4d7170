import { describe, expect, test } from "bun:test";
import { isEndpoint, parseUpstream, targetOf } from "#http/upstream.ts";
import { thrownBy } from "../support/folder.ts";

describe("parseUpstream", () => {
  test("credentials become a header, and nothing that is shown has them or the query", () => {
    const own = [["x-team", "garden"]] as const;
    const upstream = parseUpstream("https://me:word@host:8443/mcp?api_key=secret#part", own);
    expect(upstream).toMatchObject({ shown: "https://host:8443/mcp", host: "host:8443" });
    expect(upstream.url.href).toBe("https://host:8443/mcp?api_key=secret");
    const basic = `Basic ${Buffer.from("me:word").toString("base64")}`;
    expect(upstream.headers).toEqual([["authorization", basic], ...own]);
  });

  test.each(["", "mcp", "host:1/mcp", "ftp://host/mcp", "http://", "https://me:word@"])(
    "%p is refused without being repeated",
    (text) => {
      const sentence = thrownBy(() => parseUpstream(text, []));
      expect(sentence).toContain("--url must be");
      expect(sentence).not.toContain("word");
    },
  );
});

describe("targetOf", () => {
  const upstream = parseUpstream("https://host/mcp?key=1", []);
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
