import { expect, test } from "bun:test";
import { examineParts } from "#commands/run/examine-parts.ts";
import { parseRunOptions } from "#commands/run/options.ts";
import { Folder } from "../../support/folder.ts";

const words = { operands: [], child: ["server"] };

test("each fault has its effect; a config that the command line does not name stops no session", async () => {
  using folder = new Folder();
  const lock = folder.at("none");
  const options = { lock, calibration: lock, log: folder.path, "summary-file": folder.path };
  const implicit = new Set(["calibration"]);
  const given = parseRunOptions({ ...words, options, config: { implicit, faults: [] } });
  expect(await examineParts(given)).toMatchObject([
    { option: "lock", effect: "stops" },
    { option: "calibration", effect: "ignored" },
    { option: "log", effect: "unwritten" },
    { option: "summary-file", effect: "unwritten" },
  ]);
});

test("what is not used is not examined", async () => {
  const options = { prices: "/none/p", "spill-dir": "/dev/null/x", log: "off", summary: "off" };
  const given = parseRunOptions({ ...words, options: { ...options, "summary-file": "/none/s" } });
  expect(await examineParts(given)).toEqual([]);
});
