import { describe, expect, test } from "bun:test";
import { parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import {
  rewriteRedirect,
  EndpointPaths,
  endpointPathsMax,
  redirectPathMax,
} from "#transport/http/redirects.ts";

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
])("a redirect to %s of the same server is one to our address", (location, localLocation) => {
  expect(followRedirect(307, location)).toMatchObject({ kind: "inside", location: localLocation });
});

test.each(["https://other/mcp", "http://host/mcp", "https://host:444/mcp", "//other/"])(
  "a redirect to %s leads to another origin",
  (location) => {
    const { origin } = new URL(location, "https://host");
    expect(followRedirect(308, location)).toEqual({ kind: "outside", origin });
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
  expect(followRedirect(status, location)).toBeUndefined();
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
    expect(directing({ method }).of(status, "/mcp/").clientRepeats).toBe(keeps);
  },
);

test.each([
  ["/mcp/", true],
  ["/mcp", false],
  ["/MCP?a", true],
  [`/other?${"a".repeat(redirectPathMax - 1)}`, true],
  [`/other?${"a".repeat(redirectPathMax)}`, false],
  [`/mcp/#${"a".repeat(redirectPathMax)}`, false],
])("the client repeats its request at %s: %p", (location, repeats) => {
  expect(directing().of(307, location).clientRepeats).toBe(repeats);
});

test("a long query that the client sent, or that the URL has, may stay; a redirect to itself may not", () => {
  const path = `/mcp?${"a".repeat(2 * redirectPathMax)}`;
  expect(directing({ path }).of(307, path.replace("mcp", "other")).clientRepeats).toBe(true);
  const { of } = directing({ server: parseEndpoint(`https://host${path}`) });
  expect(of(307, path.replace("mcp", "mcp/")).clientRepeats).toBe(true);
  expect(of(307, path).clientRepeats).toBe(false);
});

test("an answer without a location is no redirect", () => {
  expect(followRedirect(307)).toBeUndefined();
});

function followRedirect(status: number, location?: string) {
  return directing().of(status, location).redirect;
}

const answerTo = (status: number, location: string | undefined) => ({
  status,
  headers: new Headers({ ...(location === undefined ? {} : { location }), x: "y" }),
  body: null,
});

function directing({ method = "POST", path = "/mcp", isMetered = true, server = upstream } = {}) {
  const endpoint = new EndpointPaths(server);
  const request = { method, url: new URL(`http://127.0.0.1:1${path}`) };
  const of = (status: number, location?: string) =>
    rewriteRedirect(answerTo(status, location), { upstream: server, endpoint, request, isMetered });
  return { endpoint, of };
}

describe("rewriteRedirect", () => {
  test("leads to our address, whose path is metered from then on", () => {
    const { endpoint, of } = directing();
    const { answer, redirect, clientRepeats: isAskedAgain } = of(307, "https://host/other");
    expect(Object.fromEntries(answer.headers)).toEqual({
      location: "http://127.0.0.1:1/other",
      x: "y",
    });
    expect([redirect?.kind, isAskedAgain]).toEqual(["inside", true]);
    expect(endpoint.has(new URL("http://127.0.0.1:1/other"))).toBe(true);
  });

  test("the client does not ask again by another method, nor where nothing is metered", () => {
    expect(directing().of(303, "/other").clientRepeats).toBe(false);
    expect(directing({ method: "GET" }).of(303, "/other").clientRepeats).toBe(true);
    const { endpoint, of } = directing({ path: "/x", isMetered: false });
    expect(of(307, "/y").clientRepeats).toBe(false);
    expect(endpoint.has(new URL("http://127.0.0.1:1/y"))).toBe(false);
    expect(of(307, "/mcp").clientRepeats).toBe(true);
  });

  test.each([
    [307, "https://elsewhere/mcp", { kind: "outside", origin: "https://elsewhere" }],
    [200, "/other", undefined],
  ] as const)("%d to %s has the same headers", (status, location, redirect) => {
    const rewritten = directing().of(status, location);
    expect(rewritten.answer.headers.get("location")).toBe(location);
    expect([rewritten.redirect, rewritten.clientRepeats]).toEqual([redirect, false]);
  });
});
