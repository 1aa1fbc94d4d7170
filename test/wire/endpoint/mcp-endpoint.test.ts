import { describe, expect, test } from "bun:test";
import { parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { thrownBy } from "../../support/folder.ts";

describe("parseEndpoint", () => {
  test("credentials become a header, and nothing that is shown has them or the query", () => {
    const configured = [["x-team", "garden"]] as const;
    const upstream = parseEndpoint("https://me:word@host:8443/mcp?api_key=secret#part", configured);
    expect(upstream).toMatchObject({ shown: "https://host:8443/mcp", host: "host:8443" });
    expect(upstream.url.href).toBe("https://host:8443/mcp?api_key=secret");
    const basic = `Basic ${Buffer.from("me:word").toString("base64")}`;
    expect(upstream.headers).toEqual([["authorization", basic], ...configured]);
  });

  test.each(["", "mcp", "host:1/mcp", "ftp://host/mcp", "http://", "https://me:word@"])(
    "%p is refused without being repeated",
    (text) => {
      const sentence = thrownBy(() => parseEndpoint(text));
      expect(sentence).toContain("--url must be");
      expect(sentence).not.toContain("word");
    },
  );
});
