import { expect, test } from "bun:test";
import { clientIds } from "#clients/ids.ts";
import { findLaunchRule } from "#clients/launch-rules.ts";
import { findKnownProfile } from "#tokens/cost/client-profiles/recognize-client.ts";

const ours = ["HOME", "PATH", "LANG", "GITHUB_TOKEN", "github_token", "XDG_STATE_HOME"];

test("Codex passes on what is measured, and variables about certificates", () => {
  const { passesOn } = findLaunchRule("codex");
  expect(ours.filter(passesOn)).toEqual(["HOME", "PATH", "LANG"]);
  const names = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "CURL_CA_BUNDLE", "MY_CERT"];
  expect(names.filter(passesOn)).toEqual(names.slice(0, 3));
});

test("Gemini CLI removes variables with TOKEN in their name", () => {
  const passed = ours.filter(findLaunchRule("gemini-cli").passesOn);
  expect(passed).toEqual(["HOME", "PATH", "LANG", "XDG_STATE_HOME"]);
});

test("every other client passes everything on", () => {
  for (const id of clientIds) {
    if (id === "codex" || id === "gemini-cli") continue;
    expect([id, ours.filter(findLaunchRule(id).passesOn)]).toEqual([id, ours]);
  }
});

test("clients with a profile are found by the name that they give servers", () => {
  const known = clientIds.filter((id) => findKnownProfile(findLaunchRule(id).clientName));
  expect(known).toEqual([
    "claude-code",
    "codex",
    "vs-code",
    "cursor",
    "gemini-cli",
    "copilot-cli",
    "opencode",
    "qwen-code",
    "cline-cli",
    "kilo-code",
    "kimi",
  ]);
});
