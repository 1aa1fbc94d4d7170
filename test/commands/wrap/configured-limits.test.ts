import { expect, test } from "bun:test";
import { findConfiguredLimits, rejectUnusableOptions } from "#commands/wrap/configured-limits.ts";
import { Folder } from "../../support/folder.ts";
import { CursorHome } from "./cast.ts";

const entry = (...args: readonly string[]) => ({ command: "mcp-meter", args });

test("servers are those of the settings, with their limits, by client and the name in records", () => {
  using home = new CursorHome();
  const mcpServers = {
    files: entry("--server", "files", "--budget", "read_file=5k:truncate", "--", "files-server"),
    garden: entry("--max-repeats", "2", "--exit-code", "child", "--", "node", "garden.js"),
    direct: { command: "mcp-meter-like", args: ["--budget", "9", "--", "x"] },
    wrong: entry("--budget", "no number", "--", "x"),
    cloud: { url: "https://example.com" },
    itself: entry("mcp"),
  };
  home.file(".claude.json", JSON.stringify({ mcpServers }));
  const found = findConfiguredLimits({ env: home.env, platform: "linux" }).filter(
    ({ client }) => client === "claude-code",
  );
  const budget = { tool: "read_file", limit: 5_000, unit: "tokens", per: "call" };
  expect(found).toMatchObject([
    { server: "files", budgets: [{ ...budget, action: "truncate" }], refusesRepeats: false },
    { server: "garden.js", entryName: "garden", budgets: [], refusesRepeats: true },
    { server: "direct", budgets: [], isRemote: false },
    { server: "wrong", budgets: [] },
    { server: "cloud", budgets: [], isRemote: true },
  ]);
  expect(findConfiguredLimits({ env: {}, platform: "linux" })).toEqual([]);
});

test("a budget in money needs a price before a server is put behind it", async () => {
  using folder = new Folder();
  const io = { env: { HOME: folder.path }, platform: "linux" } as const;
  const unpriced = rejectUnusableOptions(["--budget", "$5/day"], io);
  await expect(unpriced).rejects.toThrow("Cannot use the budget $5/day: the price of the model");
  const model = ["--model", "claude-opus-4-5", "--budget", "$5/day"];
  await expect(rejectUnusableOptions(model, io)).resolves.toBeUndefined();
  await expect(rejectUnusableOptions(["--budget", "5/day"], io)).resolves.toBeUndefined();
});
