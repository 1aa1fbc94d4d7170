import { expect, test } from "bun:test";
import { clientIds } from "#clients/ids.ts";
import { findRemoteRule } from "#clients/mcp-remote.ts";

test("every client but Claude Desktop has a rule, with what its programs and remote servers have in common", () => {
  const without = clientIds.filter((id) => findRemoteRule(id) === undefined);
  expect(without).toEqual(["claude-desktop"]);
  for (const id of clientIds)
    expect(findRemoteRule(id)?.keptMembers ?? ["timeout"]).toContain("timeout");
  expect(findRemoteRule("kimi")).toMatchObject({
    transportMember: "transport",
    stdioTransport: "stdio",
  });
  expect(findRemoteRule("opencode")).toMatchObject({
    stdioTransport: "local",
    envMember: "environment",
  });
});

test("Claude Code withholds variables from headers: its placeholders stay where they are", () => {
  const alike = clientIds.filter((id) => findRemoteRule(id)?.fillsEnvLikeHeaders);
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
