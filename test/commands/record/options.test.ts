import { expect, test } from "bun:test";
import { parseRecordOptions } from "#commands/record/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: ["server"] };

const output = (name: string) => ({ ...args, options: { output: name } });

test("parseRecordOptions needs a server and a YAML file", () => {
  expect(parseRecordOptions(output("a.yaml"))).toEqual({ command: ["server"], file: "a.yaml" });
  expect(parseRecordOptions(output("a.YML")).file).toBe("a.YML");
  expect(thrownBy(() => parseRecordOptions(output("a.json")))).toBe(
    '--output must be a name that ends in .yaml, not "a.json"',
  );
  expect(thrownBy(() => parseRecordOptions(args))).toStartWith(
    "missing file; name it with --output",
  );
  expect(thrownBy(() => parseRecordOptions({ ...args, child: undefined }))).toStartWith(
    'missing server; put its command after --, as in "mcp-meter record',
  );
});
