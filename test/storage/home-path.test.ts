import { expect, test } from "bun:test";
import { expandHome } from "#storage/home-path.ts";

test("expandHome replaces ~ as the first step of a path alone", () => {
  const env = { HOME: "/h" };
  const rows = [
    ["~", "/h"],
    ["~/a/~/b", "/h/a/~/b"],
    ["~other/a", "~other/a"],
    ["./~/a", "./~/a"],
    ["/a", "/a"],
    ["-", "-"],
    ["", ""],
  ] as const;
  for (const [path, expanded] of rows) expect(expandHome(path, env)).toBe(expanded);
});

test("expandHome needs a home, as an absolute path, for ~ alone", () => {
  for (const env of [{}, { HOME: "" }, { HOME: "here" }]) {
    expect(expandHome("~/a", env)).toBeUndefined();
    expect(expandHome("a", env)).toBe("a");
  }
});
