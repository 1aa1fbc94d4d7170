import { expect, test } from "bun:test";
import { parseImportOptions } from "#commands/import/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };

test("parseImportOptions has defaults that change nothing of a client", () => {
  expect(parseImportOptions(args)).toEqual({
    clients: [],
    homes: [],
    servers: [],
    usesSettings: false,
    countsTokens: true,
    range: { since: undefined, until: undefined },
    timezone: undefined,
    isDryRun: false,
    namesProjects: false,
    log: undefined,
    format: "table",
    output: undefined,
    isWide: false,
  });
});

test("parseImportOptions reads each option", () => {
  const options = {
    from: ["/a", "/b"],
    since: "30d",
    until: "2026-03-14",
    timezone: "UTC",
    "dry-run": true,
    projects: true,
    "no-tokens": true,
    "servers-from-settings": true,
    json: true,
  };
  const operands = ["claude-code", "claude-code"];
  expect(parseImportOptions({ ...args, operands, options })).toEqual({
    clients: ["claude-code"],
    homes: ["/a", "/b"],
    servers: [],
    usesSettings: true,
    countsTokens: false,
    range: { since: "30d", until: "2026-03-14" },
    timezone: "UTC",
    isDryRun: true,
    namesProjects: true,
    log: undefined,
    format: "json",
    output: undefined,
    isWide: false,
  });
});

const mistake = (options: { [name: string]: string }) =>
  thrownBy(() => parseImportOptions({ ...args, options }));

test("parseImportOptions rejects periods and formats that are none", () => {
  expect(mistake({ since: "soon" })).toStartWith("--since must be a date");
  expect(mistake({ until: "soon" })).toStartWith("--until must be a date");
  expect(mistake({ format: "xml" })).toStartWith("--format must be one of");
});
