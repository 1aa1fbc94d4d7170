import { expect, test } from "bun:test";
import { safeHeaders, textResponse } from "#dash/server/headers.ts";

test("nothing but the page's own files may be loaded, and no script or style inside of it", () => {
  const policy = safeHeaders["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(policy).not.toMatch(/https?:|\*/);
});

test("a sentence is plain text with all of the headers", async () => {
  const response = textResponse(403, "No");
  expect([response.status, await response.text()]).toEqual([403, "No\n"]);
  for (const [name, value] of Object.entries(safeHeaders)) {
    expect(response.headers.get(name)).toBe(value);
  }
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
});
