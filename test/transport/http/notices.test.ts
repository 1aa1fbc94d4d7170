import { expect, test } from "bun:test";
import { parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { makeNotices, unreachableReasonsMax } from "#transport/http/reverse-proxy.ts";

const address = "http://127.0.0.1:1/mcp";

function begin() {
  const printed: string[] = [];
  const upstream = parseEndpoint("https://host/mcp?key=secret");
  return { printed, ...makeNotices(upstream, (sentence) => void printed.push(sentence)) };
}

test("each reason for which the server cannot be reached is told once, and a bounded number of them", () => {
  const { printed, reportUnreachable } = begin();
  for (const reason of ["ECONNREFUSED", "EPROTO", "ECONNREFUSED", "ERR_PROXY_TUNNEL"])
    reportUnreachable(reason);
  expect(printed).toEqual([
    "Cannot reach https://host/mcp: connection refused (ECONNREFUSED)",
    "Cannot reach https://host/mcp: the TLS handshake failed; write http:// for a server without TLS (EPROTO)",
    "Cannot reach https://host/mcp: the proxy in HTTPS_PROXY or HTTP_PROXY refused to connect to it (ERR_PROXY_TUNNEL)",
  ]);
  for (let number = 0; number < 20; number += 1) reportUnreachable(`reason ${number}`);
  expect(printed).toHaveLength(unreachableReasonsMax);
});

test.each(["HPE_HEADER_OVERFLOW", "Malformed_HTTP_Response", "UnsupportedTransferEncoding"])(
  "%s is an answer that cannot be read: the server is there",
  (reason) => {
    const { printed, reportUnreachable } = begin();
    reportUnreachable(reason);
    expect(printed).toEqual([
      `Cannot read the answer from https://host/mcp: it is not valid HTTP (${reason})`,
    ]);
  },
);

test.each([
  ["the first request", 404, "POST", address, {}, true],
  ["a method that is not allowed", 405, "POST", address, {}, true],
  ["a session that has ended", 404, "POST", address, { "mcp-session-id": "a" }, false],
  ["an unknown method", 404, "POST", address, { "mcp-protocol-version": "2026-07-28" }, false],
  ["a stream that is not offered", 405, "GET", address, {}, false],
  ["another path", 404, "POST", "http://127.0.0.1:1/register", {}, false],
  ["another status", 500, "POST", address, {}, false],
] as const)("%s that has status %d", (_name, status, method, url, headers, isTold) => {
  const { printed, reportAnswer } = begin();
  for (let time = 0; time < 2; time += 1) {
    reportAnswer(new Response(null, { status }), {
      method,
      url: new URL(url),
      headers: new Headers(headers),
    });
  }
  const sentence = `The server at https://host/mcp answers a client's first request with ${status}: is the path right?`;
  expect(printed).toEqual(isTold ? [sentence] : []);
});

test.each([
  [[], {}, {}, "put a token into an environment variable"],
  [[], {}, { "www-authenticate": 'Bearer resource_metadata="x"' }, "requires OAuth"],
  [[["authorization", "Bearer a"]], {}, {}, "rejects the request's token"],
  [
    [],
    { authorization: "Bearer a" },
    { "www-authenticate": 'Bearer resource_metadata="x"' },
    "rejects the request's token",
  ],
] as const)(
  "with the headers %j and %j, 401 with %j: %s",
  (configured, headers, answered, sentence) => {
    const printed: string[] = [];
    const notices = makeNotices(
      parseEndpoint("https://host/mcp", configured),
      (text) => void printed.push(text),
    );
    const request = { method: "POST", url: new URL(address), headers: new Headers(headers) };
    notices.reportAnswer({ status: 401, headers: new Headers(answered) }, request);
    expect(printed).toEqual([expect.stringContaining(sentence)]);
  },
);

test("a message to another path, a redirect that leaves, and a failure of metering, are told once", () => {
  const { printed, reportUnmeteredMessage, reportForeignRedirect, reportFailure } = begin();
  for (let time = 0; time < 2; time += 1) {
    reportUnmeteredMessage(`/path${time}`);
    reportForeignRedirect(`https://other${time}`);
    reportFailure(`TypeError${time}`);
  }
  expect(printed).toEqual([
    expect.stringContaining("/path0"),
    expect.stringContaining("https://other0"),
    expect.stringContaining("TypeError0"),
  ]);
});
