import { expect, test } from "bun:test";
import { parseProfileOptions } from "#commands/profile/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: {}, operands: [], child: ["server"] };

test("parseProfileOptions reads the format beside the server", () => {
  expect(parseProfileOptions(args)).toMatchObject({
    server: { command: ["server"] },
    format: "table",
  });
  expect(parseProfileOptions({ ...args, options: { compare: "a.json" } }).compared).toBe("a.json");
  expect(parseProfileOptions({ ...args, options: { format: "json" } }).format).toBe("json");
  expect(thrownBy(() => parseProfileOptions({ ...args, options: { format: "xml" } }))).toBe(
    '--format must be one of table, markdown, json, badge, not "xml"',
  );
});

test("parseProfileOptions refuses a badge of a comparison", () => {
  const options = { format: "badge", compare: "a.json" };
  expect(thrownBy(() => parseProfileOptions({ ...args, options }))).toBe(
    "Cannot combine --format badge with --compare",
  );
});
