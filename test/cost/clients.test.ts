import { expect, test } from "bun:test";
import { findProfile } from "#cost/clients.ts";

const names: readonly (readonly [string | undefined, string])[] = [
  ["claude-code", "structured-first, images, saved, deferred"],
  ["Claude-Code", "structured-first, images, saved, deferred"],
  ["claude-code/2.1", "structured-first, images, saved, deferred"],
  ["codex-mcp-client", "structured-first, nothing, json"],
  ["Codex", "structured-first, nothing, json"],
  ["Visual Studio Code", "structured-first, images, saved"],
  ["Visual Studio Code - Insiders", "structured-first, images, saved"],
  ["Visual-Studio-Code", "structured-first, images, saved"],
  ["github-copilot-developer", "structured-first, images, saved"],
  ["opencode", "structured-first, nothing, saved"],
  ["gemini-cli-mcp-client", "content-first, content-instead, media"],
  ["gemini-cli-mcp-client-search", "content-first, content-instead, media"],
  ["cursor-vscode", "content-first, content-instead, saved, deferred"],
  ["JetBrains-IU-copilot-intellij", "both, everything, saved"],
  ["JetBrains-WS/copilot-intellij", "both, everything, saved"],
  ["JetBrains-IU", "content-first, content-instead, saved"],
  ["claude-ai", "content-first, content-instead, saved"],
  ["Kimi", "content-first, content-instead, saved"],
  ["Zed", "content-first, content-instead, saved"],
  ["my-claude-code", "content-first, content-instead, saved"],
  ["", "content-first, content-instead, saved"],
  [undefined, "content-first, content-instead, saved"],
];

test.each(names)("findProfile: %s is %s", (name, expected) => {
  const { id, besideStructured, resources, defersDefinitions } = findProfile(name);
  const deferred = defersDefinitions ? ", deferred" : "";
  expect(`${id}, ${besideStructured}, ${resources}${deferred}`).toBe(expected);
});
