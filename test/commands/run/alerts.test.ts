import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { openAlerts } from "#commands/run/alerts.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";
import { alertRecord } from "../../support/made-records.ts";

const nothing = (): void => undefined;

test("without the option there is no command", async () => {
  expect(await openAlerts({ onAlert: undefined }, fakeIo().io, nothing)).toBeUndefined();
});

test("the command runs in the user's home, and its failure is a fault of its own kind", async () => {
  using home = new Folder();
  const { io } = fakeIo({ env: { HOME: home.path } });
  const faults: unknown[][] = [];
  const alerts = await openAlerts({ onAlert: "cat > alert.json; exit 4" }, io, (...fault) =>
    faults.push(fault),
  );
  alerts?.take(alertRecord({ tool: "search" }));
  await alerts?.finish();
  expect(JSON.parse(readFileSync(home.at("alert.json"), "utf8"))).toMatchObject({ tool: "search" });
  expect(faults.map((fault) => fault.slice(1))).toEqual([["exit 4", "alert command"]]);
});
