import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { checkConfig } from "#commands/doctor/check-config.ts";
import { Folder } from "../../support/folder.ts";
import { makeInstallation } from "./patient.ts";

async function found(folder: Folder, text: string | undefined, env = {}) {
  mkdirSync(folder.at("mcp-meter"), { recursive: true });
  if (text !== undefined) chmodSync(folder.file("mcp-meter/config.json", text), 0o600);
  return checkConfig(makeInstallation({ XDG_CONFIG_HOME: folder.path, ...env }));
}

const nameFaults = (findings: readonly { status: string; detail: string }[]): string[] =>
  findings.map(({ status, detail }) => `${status} ${detail.split(": ")[1]}`);

test("a valid config, and none", async () => {
  using folder = new Folder();
  expect(await found(folder, undefined)).toMatchObject([{ status: "ok" }]);
  expect(await found(folder, '{"model": "m"}')).toMatchObject([
    { status: "ok", detail: folder.at("mcp-meter/config.json") },
  ]);
});

test("each mistake is a warning; with on_fault closed calls are refused", async () => {
  using folder = new Folder();
  const findings = await found(folder, '{"windwo": 1, "tokenizer": "redis://u:hunter2@h"}');
  expect(findings).toMatchObject([
    { status: "warning", detail: expect.stringContaining('did you mean "window"?') },
    { status: "warning", detail: expect.stringContaining("--tokenizer"), fix: "mcp-meter config" },
  ]);
  expect(JSON.stringify(findings)).not.toContain("hunter2");
  expect((await found(folder, '{"windwo": 1, "on_fault": "closed"}'))[0]).toMatchObject({
    status: "broken",
    detail: expect.stringContaining("every call is refused"),
  });
});

test("a config that others can write", async () => {
  using folder = new Folder();
  await found(folder, "{}");
  const file = folder.at("mcp-meter/config.json");
  chmodSync(file, 0o666);
  expect(await found(folder, undefined)).toMatchObject([
    { status: "warning", fix: `chmod go-w ${file}` },
  ]);
});

test("a budget in money is only ignored if the config also names prices that cannot be read", async () => {
  using folder = new Folder();
  const config = { model: "claude-opus-5", prices: folder.at("none"), budgets: [{ limit: "$5" }] };
  const statuses = (await found(folder, JSON.stringify(config))).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(["warning"]));
});

test.each([
  ["claude-sonnet-4-5", "/none/p", {}, ["warning prices"]],
  ["claude-sonnet-4-5", "p.json", { on_fault: "closed" }, ["warning prices"]],
  ["unpriced", "/none/p", {}, ["warning prices", "warning budget"]],
  ["unpriced", "p.json", { on_fault: "closed" }, ["warning prices"]],
])(
  "budgets for %s with the prices %s that cannot be read %j: %j",
  async (model, prices, more, faults) => {
    using folder = new Folder();
    const config = { model, prices, budgets: [{ limit: "$5", per: "day" }], ...more };
    expect(nameFaults(await found(folder, JSON.stringify(config)))).toEqual(faults);
  },
);

test("a variable that names prices that cannot be read is the only fault, whatever the budgets", async () => {
  using folder = new Folder();
  for (const model of ["claude-sonnet-4-5", "unpriced"]) {
    const config = JSON.stringify({ model, budgets: [{ limit: "$5", per: "day" }] });
    const findings = await found(folder, config, { MCP_METER_PRICES: "/none/p" });
    expect(nameFaults(findings)).toEqual(["broken prices"]);
  }
});

test("a variable with an invalid value prevents every session", async () => {
  using folder = new Folder();
  expect(await found(folder, undefined, { MCP_METER_WINDOW: "many" })).toMatchObject([
    { check: "environment", status: "broken", detail: expect.stringContaining('not "many"') },
  ]);
});

test("each file in a config that sessions cannot use is a warning with its source", async () => {
  using folder = new Folder();
  const none = folder.at("none/x");
  const file = folder.at("mcp-meter/config.json");
  const rows = [
    [{ lock: none, enforce_lock: true }, `lock: Cannot find the lock "${none}"`],
    [{ cost: true, prices: none }, `prices: Cannot read the prices in "${none}": no such file`],
    [{ calibration: none }, `calibration: Cannot read the calibration in "${none}": no such file`],
    [{ log: "/dev/full" }, 'log: Cannot write records to "/dev/full": it is a device'],
    [{ log: none }, `log: Cannot write records to "${none}": no such file`],
    [{ summary_file: none }, `summary_file: Cannot write the summary to "${none}": no such file`],
    [
      { spill_dir: "/dev/null/x", budgets: [{ limit: "9k", action: "spill" }] },
      'spill_dir: Cannot save answers in "/dev/null/x": part of the path is not a directory',
    ],
    [{ log: "off" }, "log is off: sessions keep no records for reports"],
  ] as const;
  for (const [config, detail] of rows) {
    expect(await found(folder, JSON.stringify(config))).toMatchObject([
      { check: "config", status: "warning", detail: expect.stringContaining(`${file}: ${detail}`) },
    ]);
  }
});

test("with on_fault closed a missing lock refuses calls, a log does not", async () => {
  using folder = new Folder();
  const lock = folder.at("none.lock");
  const foundClosed = (config: object) =>
    found(folder, JSON.stringify({ on_fault: "closed", ...config }));
  expect(await foundClosed({ lock, enforce_lock: true })).toMatchObject([
    { status: "broken", detail: expect.stringContaining("has an option that cannot be used") },
    { status: "warning" },
  ]);
  expect(await foundClosed({ log: "/dev/full" })).toMatchObject([{ status: "warning" }]);
});

test("unusable files named by a variable prevent every session", async () => {
  using folder = new Folder();
  const rows = [
    [{ MCP_METER_LOCK: "/none/l" }, "MCP_METER_LOCK: lock: Cannot find the lock"],
    [{ MCP_METER_COST: "true", MCP_METER_PRICES: "/none/p" }, "MCP_METER_PRICES: prices: Cannot"],
    [
      { MCP_METER_BUDGET: "a=1k:spill", MCP_METER_SPILL_DIR: "/dev/null/x" },
      "MCP_METER_SPILL_DIR: spill_dir: Cannot save",
    ],
  ] as const;
  for (const [env, detail] of rows) {
    expect(await found(folder, undefined, env)).toMatchObject([
      { status: "broken", detail: expect.stringContaining(detail) },
    ]);
  }
});

test("files and folders that a session would create are fine, and are not created", async () => {
  using folder = new Folder();
  const config = {
    log: folder.at("log"),
    summary_file: folder.at("summary"),
    spill_dir: folder.at("a/b"),
    budgets: [{ limit: "9k", action: "spill" }],
  };
  expect(await found(folder, JSON.stringify(config))).toMatchObject([{ status: "ok" }]);
  expect(["log", "summary", "a"].map((name) => existsSync(folder.at(name)))).toEqual([
    false,
    false,
    false,
  ]);
});

test("a relative path is a warning, because it may exist in the folder of a session", async () => {
  using folder = new Folder();
  expect(await found(folder, undefined, { MCP_METER_LOCK: "none/l" })).toMatchObject([
    { status: "warning", detail: expect.stringMatching(/relative to each session's folder$/) },
  ]);
});
