import { expect, test } from "bun:test";
import { parseUnwrapOptions } from "#commands/unwrap/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: { all: true, yes: true }, operands: [], child: undefined };

test("unwrap takes the servers of wrap, and no options of run", () => {
  expect(parseUnwrapOptions(args)).toMatchObject({ names: [], isConfirmed: true, clients: [] });
  expect(thrownBy(() => parseUnwrapOptions({ ...args, child: [] }))).toBe(
    'unexpected argument "--"',
  );
});
