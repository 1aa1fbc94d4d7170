import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { parseBudgetOptions } from "#commands/run/budget-options.ts";
import { parseMeteringOptions } from "#commands/run/options.ts";
import { prepareSession } from "#commands/run/preparation.ts";
import { Folder } from "../../support/folder.ts";
import { sessionRecord } from "../../support/made-records.ts";

const plain = parseMeteringOptions({ options: {} });
const { budgets } = parseBudgetOptions({ budget: "a=1k:spill" });
const unreachable = (): never => expect.unreachable();

describe("prepareSession", () => {
  test("opens nothing that the user did not name", async () => {
    for (const log of [undefined, "off", "-"]) {
      const { preparation: prepared } = await prepareSession({ ...plain, log }, unreachable);
      expect(Object.values(prepared)).toEqual(Array.from({ length: 6 }, () => undefined));
    }
    expect(existsSync("off")).toBe(false);
  });

  test("opens the file that --log names at once, and it is the same for every record", async () => {
    using folder = new Folder();
    const opened = await prepareSession({ ...plain, log: folder.at("r") }, unreachable);
    const { namedFile } = opened.preparation;
    expect(existsSync(folder.at("r"))).toBe(true);
    expect(namedFile?.(sessionRecord())?.path).toBe(folder.at("r"));
    expect(namedFile?.(sessionRecord())).toBe(namedFile?.(sessionRecord()));
  });

  test("reports a file that cannot be opened, once; the session then has no file", async () => {
    using folder = new Folder();
    const told: string[] = [];
    const opened = await prepareSession({ ...plain, log: folder.path }, (sentence) =>
      told.push(sentence),
    );
    const { namedFile } = opened.preparation;
    expect([namedFile?.(sessionRecord()), namedFile?.(sessionRecord())]).toEqual([
      undefined,
      undefined,
    ]);
    expect(told).toHaveLength(1);
  });

  test("creates the folder of --spill-dir if answers are saved", async () => {
    using folder = new Folder();
    const spillDir = folder.at("answers", "of", "mine");
    expect(await prepareSession({ ...plain, spillDir }, unreachable)).toMatchObject({
      preparation: { spillFolder: undefined },
    });
    expect(existsSync(spillDir)).toBe(false);
    expect(await prepareSession({ ...plain, spillDir, budgets }, unreachable)).toMatchObject({
      preparation: { spillFolder: spillDir },
    });
    expect(statSync(spillDir).mode & 0o777).toBe(0o700);
  });

  test("throws for a folder that cannot be written to", async () => {
    using folder = new Folder();
    const spillDir = folder.file("file", "");
    await expect(prepareSession({ ...plain, spillDir, budgets }, unreachable)).rejects.toThrow(
      `Cannot save answers in "${spillDir}": a file with that name already exists; choose another folder with --spill-dir`,
    );
  });

  test("reads the named prices if costs are shown", async () => {
    using folder = new Folder();
    const priceFile = folder.file("prices.json", "{");
    const prepared = await prepareSession({ ...plain, priceFile }, unreachable);
    expect(prepared.preparation.namedPrices).toBeUndefined();
    const isCosted = true;
    await expect(prepareSession({ ...plain, priceFile, isCosted }, unreachable)).rejects.toThrow(
      `Cannot read the prices in "${priceFile}": line 1`,
    );
  });

  const money = parseBudgetOptions({ budget: "$5/day" }).budgets;
  const paid = parseBudgetOptions({ budget: "exa_*=$2/day" }).budgets;

  test("a budget in money has the prices of its model, at most what a report shows", async () => {
    const options = { ...plain, budgets: money, model: "claude-opus-4-5" };
    const { preparation: prepared } = await prepareSession(options, unreachable);
    const { callPrices } = prepared;
    expect(callPrices?.argumentToken).toBe(25e-6);
    expect(callPrices?.answerToken).toBe(10e-6);
    expect(callPrices?.origin).toMatch(/^genai-prices /);
    expect(callPrices?.findToolPrice("exa_search")).toBe(0);
  });

  test("a budget of paid tools needs no model", async () => {
    using folder = new Folder();
    const priceFile = folder.file("prices.json", '{ "tools": { "exa_*": 0.005 } }');
    const options = { ...plain, budgets: paid, priceFile };
    const { preparation: prepared } = await prepareSession(options, unreachable);
    const { callPrices } = prepared;
    expect(callPrices?.findToolPrice("exa_search")).toBe(5_000_000);
    expect(callPrices?.findToolPrice("other")).toBe(0);
    expect(callPrices?.answerToken).toBe(0);
    expect(callPrices?.origin).not.toContain(folder.path);
    const wider = { ...options, budgets: money };
    await expect(prepareSession(wider, unreachable)).rejects.toThrow(
      "Cannot use the budget $5/day",
    );
  });

  test("throws for a budget in money without a price, and says what to name", async () => {
    const unknown = { ...plain, budgets: [...money, ...paid] };
    await expect(prepareSession(unknown, unreachable)).rejects.toThrow(
      "Cannot use the budget $5/day, exa_*=$2/day: the price of the model is not known; name the model, as in --model claude-opus-5-5, or pass a file of prices with --prices FILE",
    );
    const short = { ...plain, budgets: money, model: "opus" };
    await expect(prepareSession(short, unreachable)).rejects.toThrow(
      'the model "opus" has no list price; name the model as its maker does',
    );
  });

  test("leaves out a budget in money whose price a policy does not allow", async () => {
    for (const member of ["model", "prices"]) {
      const told: string[] = [];
      const requested = { ...plain, budgets: money, overridden: [member] };
      const { options } = await prepareSession(requested, (sentence) => told.push(sentence));
      expect([options.budgets, options.configFaults, told.length]).toEqual([[], [], 1]);
    }
  });

  test("leaves out a budget in money of a config file that the command line does not name", async () => {
    for (const source of [
      { implicit: new Set(["budgets"]), lockedBudgets: [] },
      { implicit: new Set<string>(), lockedBudgets: money },
    ]) {
      const told: string[] = [];
      const requested = { ...plain, ...source, budgets: [...money, ...budgets] };
      const { options } = await prepareSession(requested, (sentence) => told.push(sentence));
      expect<unknown>(options.budgets).toEqual(budgets);
      expect(options.configFaults).toEqual(["budgets"]);
      expect(told).toEqual([
        expect.stringMatching(/^Ignoring the budget \$5\/day: the price of the model/),
      ]);
    }
  });

  test("throws for a lock that is missing or is not a lock", async () => {
    using folder = new Folder();
    folder.file("broken.lock", "{");
    const reading = (name: string) =>
      prepareSession({ ...plain, lockFile: folder.at(name) }, unreachable);
    await expect(reading("none.lock")).rejects.toThrow("Cannot find the lock");
    await expect(reading("broken.lock")).rejects.toThrow("Cannot read the lock");
  });

  test("reports a lock and a folder of a config file that the command line does not name", async () => {
    using folder = new Folder();
    const told: string[] = [];
    const implicit = new Set(["lock", "enforce-lock", "spill-dir"]);
    const spillDir = folder.file("file", "");
    const lockFile = folder.at("none.lock");
    const requested = { ...plain, lockFile, spillDir, budgets, implicit, isLockEnforced: true };
    const { preparation, options } = await prepareSession(requested, (sentence) =>
      told.push(sentence),
    );
    expect(Object.values(preparation)).toEqual(Array.from({ length: 6 }, () => undefined));
    expect(options).toEqual({
      ...requested,
      isLockEnforced: false,
      configFaults: ["lock", "spill_dir"],
    });
    expect(told).toEqual([
      expect.stringMatching(/^Ignoring lock in the config: Cannot find the lock/),
      expect.stringMatching(/^Ignoring spill-dir in the config: Cannot save answers/),
    ]);
  });

  test("throws for a lock of a config file that the command line enforces", async () => {
    const options = {
      ...plain,
      lockFile: "/none/l",
      isLockEnforced: true,
      implicit: new Set(["lock"]),
    };
    await expect(prepareSession(options, unreachable)).rejects.toThrow("Cannot find the lock");
  });
});
