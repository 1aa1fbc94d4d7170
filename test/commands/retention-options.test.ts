import { expect, test } from "bun:test";
import { retentionOption } from "#commands/retention-options.ts";
import { thrownBy } from "../support/folder.ts";

const names = { age: "older-than", size: "keep-bytes" };

test("retentionOption reads an age and a size; off is none", () => {
  expect(retentionOption({}, names)).toEqual({ olderThanMs: undefined, keepBytes: undefined });
  expect(retentionOption({ "older-than": "2d", "keep-bytes": "5k" }, names)).toEqual({
    olderThanMs: 172_800_000,
    keepBytes: 5_000,
  });
  expect(retentionOption({ "keep-bytes": "0" }, names).keepBytes).toBe(0);
  expect(retentionOption({ "older-than": "off" }, names).olderThanMs).toBeUndefined();
});

test("retentionOption names the option with a wrong value", () => {
  expect(thrownBy(() => retentionOption({ "older-than": "90" }, names))).toBe(
    '--older-than must be an age such as 24h, 90d or 4w, or off, not "90"',
  );
  expect(thrownBy(() => retentionOption({ "older-than": "0d" }, names))).toContain(
    "must be an age",
  );
  expect(thrownBy(() => retentionOption({ "keep-bytes": "lots" }, names))).toBe(
    '--keep-bytes must be a size such as 500M or 1.5G, or off, not "lots"',
  );
});
