import { expect, test } from "bun:test";
import { refuseBehind } from "#commands/wrap/command.ts";
import { CursorHome, wrapTask } from "./cast.ts";

const states = (home: CursorHome, flags: readonly string[]) =>
  refuseBehind(home.plan(wrapTask), flags).servers.map(({ entry, state, refusal }) => [
    entry.rawName,
    state,
    refusal,
  ]);

test("a server that is behind mcp-meter without these options is refused, others are not", () => {
  const words = '"--server", "same", "--budget", "9k", "--", "x", "--warn-at", "50"';
  using home = new CursorHome(
    `{"mcpServers":{"same":{"command":"mcp-meter","args":[${words}]},"new":{"command":"x"}}}`,
  );
  const [same, fresh] = [
    ["same", "behind", undefined],
    ["new", "changed", undefined],
  ];
  expect(states(home, [])).toEqual([same, fresh]);
  expect(states(home, ["--budget", "9k"])).toEqual([same, fresh]);
  for (const flags of [
    ["--budget", "8k"],
    ["--budget", "9k", "--annotate"],
    ["--warn-at", "50"],
  ]) {
    expect(states(home, flags)).toEqual([["same", "refused", "options"], fresh]);
  }
});

test("a server that is behind a missing mcp-meter is refused", () => {
  const args = '"args":["--","x"]';
  using home = new CursorHome(
    `{"mcpServers":{"lost":{"command":"/missing/mcp-meter",${args}},"named":{"command":"mcp-meter",${args}}}}`,
  );
  expect(states(home, [])).toEqual([
    ["lost", "refused", "lost"],
    ["named", "behind", undefined],
  ]);
});
