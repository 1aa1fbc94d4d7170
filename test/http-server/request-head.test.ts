import { describe, expect, test } from "bun:test";
import { parseRequestHead } from "#http-server/request-head.ts";
import { rejectedStatus } from "#http-server/request-fault.ts";
import { requestBytesMax, requestLinesMax } from "#limits/http.ts";

const parse = (text: string) => parseRequestHead(new Uint8Array(Buffer.from(text, "latin1")));
const headed = (line: string, ...fields: string[]) =>
  parse([line, "Host: localhost:8", ...fields, "", ""].join("\r\n"));
const post = (...fields: string[]) => headed("POST /mcp HTTP/1.1", ...fields);

/** The status by which it is rejected; 0 where it is not. */
function statusOf(read: () => unknown): number {
  try {
    read();
    return 0;
  } catch (error) {
    return rejectedStatus(error);
  }
}

describe("parseRequestHead", () => {
  test("method, address and fields", () => {
    const head = post("A: b", "a: c", "Content-Length: 3");
    expect([head.method, head.url.href]).toEqual(["POST", "http://localhost:8/mcp"]);
    expect(head.headers.get("a")).toBe("b, c");
    expect([head.framing, head.minorVersion, head.persists, head.awaitsWord]).toEqual([
      { bytes: 3 },
      1,
      true,
      false,
    ]);
  });

  test.each([
    ["/mcp?a=b", "/mcp?a=b"],
    ["/a/../mcp", "/mcp"],
    ["//evil.example/mcp", "//evil.example/mcp"],
    ["/%2e%2e/x%20y", "/x%20y"],
    ["/\xc3\xa9", "/%C3%A9"],
    ["/mcp#part", "/mcp"],
    ["http://localhost:8/mcp", "/mcp"],
    // The host of such an address is not looked at: the request goes to no other server than ours.
    ["HTTP://evil.example/mcp?a", "/mcp?a"],
    ["http://localhost", "/"],
    ["?a=b", "/?a=b"],
  ])("asks for %j: %j", (target, expected) => {
    const { pathname, search, host } = headed(`GET ${target} HTTP/1.1`).url;
    expect([pathname + search, host]).toEqual([expected, "localhost:8"]);
  });

  test("a host that is none, or none at all, is for the reader to refuse", () => {
    for (const host of ["Host: a b", "Host: :x", "Host:", "X: y", "Host: [", "Host: a:b"])
      expect(parse(`GET /mcp HTTP/1.1\r\n${host}\r\n\r\n`).url.pathname).toBe("/mcp");
  });

  test.each([
    ["HTTP/1.1", [], true],
    ["HTTP/1.1", ["Connection: close"], false],
    ["HTTP/1.1", ["Connection: x, Close"], false],
    ["HTTP/1.0", [], false],
    ["HTTP/1.0", ["Connection: Keep-Alive"], true],
    ["HTTP/1.0", ["Connection: keep-alive, close"], false],
  ])("%s with %j carries another request: %p", (version, fields, persists) => {
    expect(headed(`GET /mcp ${version}`, ...fields).persists).toBe(persists);
  });

  test("a client of HTTP/1.1 may wait for a word", () => {
    expect(post("Expect: 100-Continue").awaitsWord).toBe(true);
    expect(post("Expect: something").awaitsWord).toBe(false);
    expect(headed("POST /mcp HTTP/1.0", "Expect: 100-continue").awaitsWord).toBe(false);
  });

  test.each([
    [[], { bytes: 0 }],
    [["Content-Length: 0"], { bytes: 0 }],
    [["Content-Length: 7", "content-length: 7"], { bytes: 7 }],
    [["Transfer-Encoding: chunked"], "chunked"],
    [["Transfer-Encoding: Chunked"], "chunked"],
    [[`Content-Length: ${requestBytesMax}`], { bytes: requestBytesMax }],
  ])("%j is a body of %j", (fields, framing) => {
    expect(post(...fields).framing).toEqual(framing as typeof framing & object);
  });

  test.each([
    // Two programs could read them in two ways, which smuggles a request.
    [["Content-Length: 3", "Transfer-Encoding: chunked"], 400],
    [["Content-Length: 3", "Content-Length: 4"], 400],
    [["Content-Length: +3"], 400],
    [["Content-Length: 0x3"], 400],
    [["Content-Length: 3 4"], 400],
    [["Content-Length:"], 400],
    [["Content-Length: 3", "Content-Length:"], 400],
    [["Transfer-Encoding: chunked, chunked"], 501],
    [["Transfer-Encoding: chunked", "Transfer-Encoding: identity"], 501],
    [["Transfer-Encoding: identity"], 501],
    [["Transfer-Encoding: gzip, chunked"], 501],
    [["Transfer-Encoding: xchunked"], 501],
    [["Transfer-Encoding:"], 501],
    [["Transfer-Encoding : chunked"], 400],
    [[" Transfer-Encoding: chunked"], 400],
    [["Transfer-Encoding:\x0bchunked"], 400],
    [["X: y", "\tfolded"], 400],
    [["X: y\rTransfer-Encoding: chunked"], 400],
    [["X: \0"], 400],
    [[`Content-Length: ${requestBytesMax + 1}`], 413],
    [["Content-Length: 9999999999999999"], 400],
  ])("rejects %j with %d", (fields, status) => {
    expect(statusOf(() => post(...fields))).toBe(status);
  });

  test.each([
    "",
    "GET /mcp",
    "GET /mcp HTTP/1.2",
    "GET /mcp HTTP/2.0",
    "PRI * HTTP/2.0",
    "GET  /mcp HTTP/1.1",
    "GET /m cp HTTP/1.1",
    "GET\t/mcp HTTP/1.1",
    "GET /mcp HTTP/1.1 ",
    " GET /mcp HTTP/1.1",
    "G\xe9T /mcp HTTP/1.1",
    "GET mcp HTTP/1.1",
    "GET * HTTP/1.1",
    "CONNECT localhost:8 HTTP/1.1",
    "GET ftp://localhost/mcp HTTP/1.1",
    "GET /mcp\x7f HTTP/1.1",
  ])("rejects %j", (line) => {
    expect(statusOf(() => headed(line))).toBe(400);
  });

  test("chunks are not of HTTP/1.0", () => {
    const status = statusOf(() => headed("POST /mcp HTTP/1.0", "Transfer-Encoding: chunked"));
    expect(status).toBe(400);
  });

  test("as many lines as there may be, and one more", () => {
    // The request line, and the two ends of lines behind the last one.
    const longest = `GET /mcp HTTP/1.1\r\n${"A: b\r\n".repeat(requestLinesMax - 3)}\r\n`;
    expect(parse(longest).headers.get("a")?.split(",")).toHaveLength(requestLinesMax - 3);
    expect(statusOf(() => parse(longest.replace("\r\n", "\r\nA: b\r\n")))).toBe(431);
  });
});
