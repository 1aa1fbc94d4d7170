import { describe, expect, test } from "bun:test";
import { parseEndpoint } from "#endpoint/mcp-endpoint.ts";
import { directed } from "#http/directed-answer.ts";
import { EndpointPaths } from "#http/redirects.ts";

const upstream = parseEndpoint("https://host/mcp");

const answerTo = (status: number, location: string) => ({
  status,
  statusText: undefined,
  headers: new Headers({ location, x: "y" }),
  body: undefined,
});

/** The answer to a request of that method for a path. */
function directing({ method = "POST", path = "/mcp", isMetered = true } = {}) {
  const endpoint = new EndpointPaths(upstream);
  const request = { method, url: new URL(`http://127.0.0.1:1${path}`) };
  const of = (status: number, location: string) =>
    directed(answerTo(status, location), { upstream, endpoint, request, isMetered });
  return { endpoint, of };
}

describe("directed", () => {
  test("leads to our address, whose path is metered from then on", () => {
    const { endpoint, of } = directing();
    const { answer, redirect, isAskedAgain } = of(307, "https://host/other");
    expect(Object.fromEntries(answer.headers)).toEqual({
      location: "http://127.0.0.1:1/other",
      x: "y",
    });
    expect([redirect?.kind, isAskedAgain]).toEqual(["inside", true]);
    expect(endpoint.has(new URL("http://127.0.0.1:1/other"))).toBe(true);
  });

  test("the client does not ask again by another method, nor where nothing is metered", () => {
    expect(directing().of(303, "/other").isAskedAgain).toBe(false);
    expect(directing({ method: "GET" }).of(303, "/other").isAskedAgain).toBe(true);
    const { endpoint, of } = directing({ path: "/x", isMetered: false });
    expect(of(307, "/y").isAskedAgain).toBe(false);
    expect(endpoint.has(new URL("http://127.0.0.1:1/y"))).toBe(false);
    expect(of(307, "/mcp").isAskedAgain).toBe(true);
  });

  test.each([
    [307, "https://elsewhere/mcp", { kind: "outside", origin: "https://elsewhere" }],
    [200, "/other", undefined],
  ] as const)("%d to %s has the same headers", (status, location, redirect) => {
    const one = directing().of(status, location);
    expect(one.answer.headers.get("location")).toBe(location);
    expect([one.redirect, one.isAskedAgain]).toEqual([redirect, false]);
  });
});
