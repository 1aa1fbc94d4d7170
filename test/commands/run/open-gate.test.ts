import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { parseBudgetOptions } from "#commands/run/budget-options.ts";
import { openGate } from "#commands/run/open-gate.ts";
import { noTrim } from "#lock/hidden-tools.ts";
import { Folder } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";

async function enforced(folder: Folder, budget: readonly string[], told: string[] = []) {
  const io = capturedIo({ XDG_STATE_HOME: folder.path });
  const tell = (sentence: string) => told.push(sentence);
  const options = {
    ...parseBudgetOptions({ budget }),
    server: undefined,
    user: undefined,
    recordsLogin: false,
    command: ["garden"],
    configFaults: [],
    trim: noTrim,
  };
  const setting = { sessionId: "session", env: io.env, spillFolder: undefined };
  return openGate({ ...setting, options }, tell);
}

describe("openGate", () => {
  test("enforces nothing by default", async () => {
    using folder = new Folder();
    const { gate, close } = await enforced(folder, []);
    expect(gate).toBeUndefined();
    await close?.();
  });

  test("opens the counters of the machine only for what outlives a session", async () => {
    using folder = new Folder();
    const file = folder.at("mcp-meter", "budget-counters.sqlite");
    for (const [budget, isShared] of [
      [["a=1k", "5k/session"], false],
      [["a=1k", "5k/minute"], true],
    ] as const) {
      const { gate, close } = await enforced(folder, budget);
      expect(gate?.budgets.map(({ spec }) => spec)).toEqual([...budget]);
      expect(gate?.stores.shared === gate?.stores.session).toBe(!isShared);
      expect(existsSync(file)).toBe(isShared);
      await close?.();
    }
  });

  test("saves whole results in the state folder", async () => {
    using folder = new Folder();
    const { gate, close } = await enforced(folder, ["a=1k:spill"]);
    const file = { text: "whole", extension: "txt", folder: "state" } as const;
    expect(gate?.saveAnswer(file)).toStartWith(folder.at("mcp-meter", "spills"));
    await close?.();
  });

  test("tells once when the machine's counters cannot be opened", async () => {
    using folder = new Folder();
    folder.file("mcp-meter", "");
    const told: string[] = [];
    const { gate, close } = await enforced(folder, ["5k/day"], told);
    expect(gate).toBeDefined();
    expect(told).toMatchObject([expect.stringContaining("last known")]);
    await close?.();
  });
});
