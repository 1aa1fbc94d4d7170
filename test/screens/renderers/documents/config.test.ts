import { expect, test } from "bun:test";
import { type ConfigReport, buildConfigDocument } from "#screens/renderers/documents/config.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";

const report: ConfigReport = {
  schema_version: "1.0",
  server: null,
  files: [
    { file: "/etc/c", kind: "system", is_present: false },
    { file: "/h/c", kind: "user", is_present: true },
  ],
  servers: [],
  clients: [],
  options: [],
  mistakes: [],
  is_disabled: false,
};

const print = (overrides: Partial<ConfigReport>): string =>
  renderTerminal(buildConfigDocument({ ...report, ...overrides }), { color: false });

test("the file that overrides the other is named first", () => {
  expect(print({})).toBe("Options of mcp-meter run\n\nread     /h/c\nmissing  /etc/c\n");
});

test("hostile names of servers, values and mistakes are safe to print", () => {
  const hostile = "\u001b[31m\u202e";
  const option = {
    option: "log",
    value: hostile,
    source: "file",
    file: hostile,
    section: hostile,
    variable: null,
    client: null,
    is_locked: true,
  } as const;
  const text = print({
    server: hostile,
    servers: [hostile],
    options: [option],
    mistakes: [{ file: hostile, fault: hostile }],
    is_disabled: true,
  });
  for (const character of hostile.slice(0, 1) + hostile.slice(-1)) {
    expect(text).not.toContain(character);
  }
  expect(text).toContain("MCP_METER_DISABLE is set");
  expect(text).toMatch(/log .+, locked$/m);
});

test("a mistake has its place first, as with doctor", () => {
  expect(print({ mistakes: [{ file: "/h/c", fault: "EISDIR" }] })).toContain(
    "mistake  /h/c: it is a directory\n",
  );
});
