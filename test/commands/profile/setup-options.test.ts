import { expect, test } from "bun:test";
import { parseSetupOptions } from "#commands/profile/options.ts";
import { tmpdir } from "node:os";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };
const parsed = (options: Record<string, string | boolean>) =>
  parseSetupOptions({ ...args, options: { configured: true, ...options } });
const mistake = (options: Record<string, string | boolean>): string =>
  thrownBy(() => parsed(options));

test("without further options every client of the user is profiled after a question", () => {
  expect(parsed({})).toMatchObject({
    clients: [],
    project: undefined,
    isConfirmed: false,
    format: "table",
    timeoutMs: 30_000,
  });
});

test("a client is named by its id or its name, and reads for itself", () => {
  expect(parsed({ "settings-of": "Claude Code" }).clients).toEqual(["claude-code"]);
  expect(parsed({ "settings-of": "vs-code" })).toMatchObject({
    clients: ["vs-code"],
    reading: { client: undefined },
  });
  expect(mistake({ "settings-of": "claude-cod" })).toEndWith("did you mean claude-code?");
  expect(mistake({ "settings-of": "gemini" })).toEndWith("did you mean gemini-cli?");
  expect(mistake({ "settings-of": "nothing-like-it" })).toEndWith('not "nothing-like-it"');
});

test("a project is a folder that exists", () => {
  expect(parsed({ project: tmpdir(), yes: true })).toMatchObject({
    project: tmpdir(),
    isConfirmed: true,
  });
  expect(mistake({ project: "/no/such/folder" })).toContain('"/no/such/folder": no such folder');
});

test("options of one server are refused", () => {
  expect(mistake({ records: "a" })).toBe("Cannot combine --configured with --records");
  expect(mistake({ url: "http://127.0.0.1:1/" })).toBe("Cannot combine --configured with --url");
  expect(mistake({ budget: "2k" })).toBe("Cannot combine --configured with --budget");
  expect(mistake({ exact: true })).toBe("Cannot combine --configured with --exact");
  expect(mistake({ format: "badge" })).toContain("--format must be one of");
  const withServer = { ...args, options: { configured: true }, child: ["x"] };
  expect(thrownBy(() => parseSetupOptions(withServer))).toContain("a command after --");
  const withWord = { ...args, options: { configured: true }, operands: ["x"] };
  expect(thrownBy(() => parseSetupOptions(withWord))).toBe('unexpected argument "x"');
});
