import { expect, test } from "bun:test";
import { dashOptionGroups, parseDashOptions } from "#commands/dash/index.ts";
import { formatFragment } from "#commands/dash/command.ts";
import { parseAddress } from "#screens/dash/page/address.ts";
import type { RawOptions } from "#commands/command.ts";
import { thrownBy } from "../../support/folder.ts";

const parsed = (options: RawOptions = {}, operands: readonly string[] = []) =>
  parseDashOptions({ options, operands, child: undefined });

test("without options: a free port, the last 30 days, the zone of the machine", () => {
  expect(parsed()).toEqual({
    port: 0,
    opensBrowser: false,
    since: "30d",
    isSinceExplicit: false,
    timezone: undefined,
    locks: [],
    isCosted: false,
    priceFile: undefined,
  });
  expect(dashOptionGroups.map(({ heading }) => heading)).toEqual(["Page", "Records"]);
});

test("each option has its value", () => {
  const options = { port: "8080", open: true, since: "2026-11-01", timezone: "UTC", cost: true };
  expect(parsed(options)).toMatchObject({
    port: 8080,
    opensBrowser: true,
    since: "2026-11-01",
    isSinceExplicit: true,
    timezone: "UTC",
    isCosted: true,
  });
});

test("the page opens on the period that is named, with costs where they are", () => {
  expect(formatFragment(parsed())).toBe("");
  expect(formatFragment(parsed({ cost: true }))).toBe("#/?cost=on");
  expect(formatFragment(parsed({ since: "60d", cost: true }))).toBe("#/?period=all&cost=on");
  expect(formatFragment(parsed({ since: "30d" }))).toBe("#/?period=30d");
  expect(parseAddress(formatFragment(parsed({ since: "60d" }))).period).toBe("all");
});

test("the server of a lock precedes the first equals sign, unless that is a path", () => {
  const lock = ["mcp-meter.lock", "git hub=a=b.lock", "./a=b.lock", "/c/a=b", "a/b=c", "a=/b"];
  expect(parsed({ lock }).locks).toEqual([
    { server: undefined, file: "mcp-meter.lock" },
    { server: "git hub", file: "a=b.lock" },
    { server: undefined, file: "./a=b.lock" },
    { server: undefined, file: "/c/a=b" },
    { server: "a/b", file: "c" },
    { server: "a", file: "/b" },
  ]);
});

test("a mistake is one sentence", () => {
  expect(thrownBy(() => parsed({ port: "65536" }))).toBe(
    '--port must be a whole number from 0 to 65535, not "65536"',
  );
  expect(thrownBy(() => parsed({ port: "-1" }))).toStartWith("--port must be");
  expect(thrownBy(() => parsed({ since: "soon" }))).toStartWith("--since must be a date such as");
  expect(thrownBy(() => parsed({}, ["a"]))).toBe('unexpected argument "a"');
});
