import { expect, test } from "bun:test";
import { planFile } from "#commands/wrap/plan-file.ts";
import { CursorHome, settings, unwrapTask, wrapTask } from "./cast.ts";

test("each server has its state, and the changed file is planned, not written", () => {
  using home = new CursorHome();
  const { servers, known, after, lines } = home.plan(wrapTask);
  expect(servers.map(({ entry, state }) => [entry.rawName, state])).toEqual([
    ["direct", "changed"],
    ["behind", "behind"],
    ["remote", "remote"],
    ["off", "off"],
  ]);
  expect(known).toEqual(["direct", "behind", "remote", "off"]);
  expect(home.text()).toBe(settings);
  const text = new TextDecoder().decode(after);
  expect(text).toContain(
    '"/opt/mcp-meter", "args": ["--server", "direct", "--", "npx", "-y", "server"]',
  );
  expect(lines).toHaveLength(1);
});

test("a name chooses a server, one that is turned off too", () => {
  using home = new CursorHome();
  const { servers } = home.plan({ ...wrapTask, names: ["off"] });
  expect(servers.map(({ entry, state }) => [entry.rawName, state])).toEqual([["off", "changed"]]);
});

test("a server that cannot be changed is refused with its reason", () => {
  using home = new CursorHome(
    '{"mcpServers":{"a":{"command":"x","command":"x"},"b":{"command":"y"}}}',
  );
  const { servers, after } = home.plan(wrapTask);
  expect(servers.map(({ state, refusal }) => [state, refusal])).toEqual([
    ["refused", "duplicate"],
    ["changed", undefined],
  ]);
  expect(after).toBeDefined();
});

test("an empty command is refused: unwrap would not find it", () => {
  using home = new CursorHome('{"mcpServers":{"a":{"command":""},"b":{"command":"y"}}}');
  const { servers, after } = home.plan(wrapTask);
  expect(servers.map(({ state, refusal }) => [state, refusal])).toEqual([
    ["refused", "irreversible"],
    ["changed", undefined],
  ]);
  expect(new TextDecoder().decode(after)).toStartWith('{"mcpServers":{"a":{"command":""},');
});

test("unwrap plans the way back, and nothing where nothing is wrapped", () => {
  using home = new CursorHome('{"mcpServers":{"a":{"command":"x"}}}');
  expect(home.plan(unwrapTask).after).toBeUndefined();
  using other = new CursorHome();
  expect(new TextDecoder().decode(other.plan(unwrapTask).after)).toContain(
    '"command": "npx", "args": []',
  );
});

test("a file that cannot be read is a fault", () => {
  using home = new CursorHome("{");
  expect(planFile(home.target, wrapTask)).toMatchObject({ line: 1 });
});
