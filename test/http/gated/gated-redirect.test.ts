import { expect, test } from "bun:test";
import { gatedRedirect } from "#http/gated/gated-answer.ts";
import type { Redirect } from "#http/redirects.ts";

const inside: Redirect = {
  kind: "inside",
  target: new URL("https://host/other"),
  location: "/other",
};
const outside: Redirect = { kind: "outside", origin: "https://elsewhere" };

const gated = (redirect: Redirect, isAskedAgain: boolean) => {
  const headers = new Headers({ location: "/other", "content-type": "text/html" });
  const answer = { status: 307, headers, body: null };
  return gatedRedirect({ answer, redirect, isAskedAgain }, redirect, undefined, "https://host/mcp");
};

test("the same request to a metered address passes, without a body", () => {
  const { status, headers, body } = gated(inside, true);
  expect([status, headers.get("location"), body]).toEqual([307, "/other", null]);
  expect(headers.get("content-type")).toBeNull();
});

test.each([
  [inside, "https://host/mcp"],
  [outside, "https://elsewhere"],
])("another one is an error that names the address", async (redirect, named) => {
  const answer = gated(redirect, false);
  expect([answer.status, answer.headers.get("location")]).toEqual([502, null]);
  expect(await answer.text()).toContain(named);
});
