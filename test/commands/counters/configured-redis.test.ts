import { describe, expect, test } from "bun:test";
import { findConfiguredRedis } from "#commands/counters/read-counters.ts";
import { Folder } from "../../support/folder.ts";

const platform = "win32";

describe("findConfiguredRedis", () => {
  test("follows options, then variables, then the config file", () => {
    using folder = new Folder();
    const config = { counters: "redis://in-file", fleet: "blue" };
    const file = folder.file("config.json", JSON.stringify(config));
    const env = { MCP_METER_CONFIG: file };
    expect(findConfiguredRedis({ env, platform })).toMatchObject({
      address: { host: "in-file" },
      fleet: "blue",
    });
    const variables = { ...env, MCP_METER_COUNTERS: "redis://in-variable" };
    expect(findConfiguredRedis({ env: variables, platform })).toMatchObject({
      address: { host: "in-variable" },
    });
    expect(
      findConfiguredRedis({ env: variables, platform }, { counters: "redis://in-option" }),
    ).toMatchObject({
      address: { host: "in-option" },
      fleet: "blue",
    });
    expect(findConfiguredRedis({ env, platform }, { counters: "file" })).toBeUndefined();
  });

  test("without any of them counters are in a file", () => {
    using folder = new Folder();
    const env = { HOME: folder.path, XDG_CONFIG_HOME: folder.path };
    expect(findConfiguredRedis({ env, platform })).toBeUndefined();
  });
});
