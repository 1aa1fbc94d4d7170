import { expect, test } from "bun:test";
import { parseLogOptions } from "#commands/import/log-options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: undefined };

test("parseLogOptions reads clients, homes and servers", () => {
  expect(parseLogOptions(args)).toEqual({
    clients: [],
    homes: [],
    servers: [],
    usesSettings: false,
  });
  const options = { from: ["/a", "/b"], server: "docs" };
  const operands = ["claude-code", "claude-code"];
  expect(parseLogOptions({ ...args, operands, options })).toEqual({
    clients: ["claude-code"],
    homes: ["/a", "/b"],
    servers: ["docs"],
    usesSettings: false,
  });
});

test("parseLogOptions rejects clients that it does not know", () => {
  expect(thrownBy(() => parseLogOptions({ ...args, operands: ["emacs"] }))).toStartWith(
    'Cannot import logs of "emacs": use one of claude-code',
  );
  expect(thrownBy(() => parseLogOptions({ ...args, child: ["x"] }))).toBe(
    'unexpected argument "x"',
  );
});
