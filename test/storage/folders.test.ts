import { describe, expect, test } from "bun:test";
import { configFolder, stateFolder } from "#storage/folders.ts";

type Row = readonly [
  what: string,
  env: { [name: string]: string },
  state: string | undefined,
  config: string | undefined,
];

const rows: readonly Row[] = [
  ["nothing", {}, undefined, undefined],
  ["HOME", { HOME: "/h" }, "/h/.local/state/mcp-meter", "/h/.config/mcp-meter"],
  [
    "XDG",
    { XDG_STATE_HOME: "/s", XDG_CONFIG_HOME: "/c", HOME: "/h" },
    "/s/mcp-meter",
    "/c/mcp-meter",
  ],
  [
    "a relative XDG is ignored",
    { XDG_STATE_HOME: "s", XDG_CONFIG_HOME: "./c", HOME: "/h" },
    "/h/.local/state/mcp-meter",
    "/h/.config/mcp-meter",
  ],
  [
    "an empty XDG is ignored",
    { XDG_STATE_HOME: "", HOME: "/h" },
    "/h/.local/state/mcp-meter",
    "/h/.config/mcp-meter",
  ],
  ["a relative HOME is ignored", { HOME: "h" }, undefined, undefined],
];

describe("stateFolder and configFolder with", () => {
  for (const [what, env, state, config] of rows) {
    test(what, () => {
      expect([stateFolder(env), configFolder(env)]).toEqual([state, config]);
    });
  }
});
