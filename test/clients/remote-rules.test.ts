import { expect, test } from "bun:test";
import { clientIds } from "#clients/ids.ts";
import { remoteRule } from "#clients/remote-entry.ts";

test("every client but Claude Desktop has a rule, with what its programs and remote servers have in common", () => {
  const without = clientIds.filter((id) => remoteRule(id) === undefined);
  expect(without).toEqual(["claude-desktop"]);
  for (const id of clientIds)
    expect(remoteRule(id)?.keptMembers ?? ["timeout"]).toContain("timeout");
  expect(remoteRule("kimi")).toMatchObject({ kind: "transport", local: "stdio" });
  expect(remoteRule("opencode")).toMatchObject({ local: "local", env: "environment" });
});

test("Claude Code withholds variables from headers: its placeholders stay where they are", () => {
  const alike = clientIds.filter((id) => remoteRule(id)?.fillsEnvLikeHeaders);
  expect(alike).toEqual([
    "vs-code",
    "cursor",
    "gemini-cli",
    "opencode",
    "qwen-code",
    "windsurf",
    "roo-code",
    "kilo-code",
  ]);
});
