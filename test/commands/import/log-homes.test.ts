import { expect, test } from "bun:test";
import { homesNamed, logHomes } from "#commands/import/log-homes.ts";
import { thrownBy } from "../../support/folder.ts";

test("named homes are read without the variables of this one", () => {
  const env = { HOME: "/h", CLAUDE_CONFIG_DIR: "/c" };
  expect(logHomes({ homes: ["/a"] }, { env, platform: "linux" })).toEqual([
    { folder: "/a", env: {}, platform: "linux" },
  ]);
  expect(logHomes({ homes: [] }, { env, platform: "linux" })).toEqual([
    { folder: "/h", env, platform: "linux" },
  ]);
});

test("without a home there is a sentence", () => {
  expect(thrownBy(() => logHomes({ homes: [] }, { env: {}, platform: "linux" }))).toContain(
    "set HOME or pass --from DIR",
  );
});

test("homes are named by their folders", () => {
  const homes = ["/a", "/b"].map((folder) => ({ folder, env: {}, platform: "linux" as const }));
  expect(homesNamed(homes)).toBe('/a", "/b');
});
