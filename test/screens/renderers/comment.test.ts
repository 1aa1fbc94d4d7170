import { expect, test } from "bun:test";
import { renderComment } from "#screens/renderers/check.ts";

const section = (characters: number) => ({ kind: "line", text: "x".repeat(characters) }) as const;

test("renderComment begins with a hidden line that names the lock and cannot be ended by it", () => {
  const text = renderComment({ title: "Passed", sections: [] }, "a/--> <b>.lock");
  expect(text).toBe("<!-- mcp-meter check: a/-%2D%3E%20%3Cb%3E.lock -->\n\n### Passed\n");
});

test("renderComment has as many characters as GitHub accepts, and leaves whole sections out beyond", () => {
  const title = "Passed";
  const empty = renderComment({ title, sections: [section(0)] }, "a").length;
  const exact = renderComment({ title, sections: [section(65_000 - empty)] }, "a");
  expect(exact).toHaveLength(65_000);
  expect(exact).not.toContain("Cut here");
  expect(renderComment({ title, sections: [section(65_001 - empty)] }, "a")).toContain("Cut here");
  const sections = [section(40_000), section(40_000 + 1), section(9)];
  const cut = renderComment({ title, sections }, "a");
  expect(cut.length).toBeLessThanOrEqual(65_000);
  expect(cut.split("\n\n").map((block) => block.length)).toEqual([27, 10, 40_000, 9, 84]);
  expect(cut).toEndWith(
    "_Cut here: 1 more section would exceed the length of a comment; use --format json._\n",
  );
});

test("renderComment fits into a variable of 128 KiB with its name, whatever the script of its texts", () => {
  const sections = [{ kind: "line", text: "日".repeat(60_000) }, section(9)] as const;
  const text = renderComment({ title: "Passed", sections }, "a");
  expect(new TextEncoder().encode(`COMMENT=${text}`).length).toBeLessThan(128 * 1024);
  expect(text).toContain("Cut here: 1 more section");
});
