import { expect, test } from "bun:test";
import { parseEndpoint } from "#endpoint/mcp-endpoint.ts";
import { EndpointPaths, keepsRequest, redirectIn } from "#http/redirects.ts";
import { endpointPathsMax, redirectPathMax } from "#limits/http.ts";

const upstream = parseEndpoint("https://host/mcp");
const at = (path: string) => new URL(`http://127.0.0.1:1${path}`);

test("only the path of the URL is the endpoint, and those that were learned up to the limit", () => {
  const endpoint = new EndpointPaths(upstream);
  const paths = ["/mcp", "/mcp?a", "/mcp//", "/MCP", "/mcp/x", "/"];
  expect(paths.map((path) => endpoint.has(at(path)))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
  endpoint.learn(at("/other/"));
  expect(endpoint.has(at("/other"))).toBe(true);
  for (let number = 0; number < endpointPathsMax; number += 1) endpoint.learn(at(`/${number}`));
  expect(endpoint.has(at("/0"))).toBe(true);
  expect(endpoint.has(at(`/${endpointPathsMax - 1}`))).toBe(false);
});

test.each([
  ["https://host/mcp/", "http://127.0.0.1:1/mcp/"],
  ["https://host/mcp/?a=1#b", "http://127.0.0.1:1/mcp/?a=1#b"],
  ["//host/mcp/", "http://127.0.0.1:1/mcp/"],
  ["/mcp/", "/mcp/"],
  ["mcp/?a", "mcp/?a"],
  ["/\\host/mcp/", "http://127.0.0.1:1/mcp/"],
  ["https:/mcp/", "http://127.0.0.1:1/mcp/"],
])("a redirect to %s of the same server is one to our address", (location, own) => {
  const answer = { status: 307, headers: new Headers({ location }) };
  expect(redirectIn(answer, upstream, at("/mcp"))).toMatchObject({ kind: "inside", location: own });
});

test.each(["https://other/mcp", "http://host/mcp", "https://host:444/mcp", "//other/"])(
  "a redirect to %s leads to another origin",
  (location) => {
    const answer = { status: 308, headers: new Headers({ location }) };
    const { origin } = new URL(location, "https://host");
    expect(redirectIn(answer, upstream, at("/mcp"))).toEqual({ kind: "outside", origin });
  },
);

test.each([
  [200, "https://host/mcp/"],
  [307, "https://["],
  [307, "http:"],
  [201, "/made"],
  [300, "/choice"],
  [304, "/same"],
])("status %d with %s is no redirect", (status, location) => {
  const answer = { status, headers: new Headers({ location }) };
  expect(redirectIn(answer, upstream, at("/mcp"))).toBeUndefined();
});

test("a path that is too long to be quoted is not learned", () => {
  const endpoint = new EndpointPaths(upstream);
  const paths = [redirectPathMax, redirectPathMax + 1].map(
    (length) => `/${"a".repeat(length - 1)}`,
  );
  for (const path of paths) endpoint.learn(at(path));
  expect(paths.map((path) => endpoint.has(at(path)))).toEqual([true, false]);
});

test.each([
  ["POST", 307, true],
  ["POST", 308, true],
  ["POST", 301, false],
  ["POST", 302, false],
  ["POST", 303, false],
  ["GET", 303, true],
] as const)(
  "a redirect of %s with status %d sends the same request: %p",
  (method, status, keeps) => {
    expect(keepsRequest(method, status)).toBe(keeps);
  },
);

test("an answer without a location is no redirect", () => {
  const answer = { status: 307, headers: new Headers() };
  expect(redirectIn(answer, upstream, at("/mcp"))).toBeUndefined();
});
