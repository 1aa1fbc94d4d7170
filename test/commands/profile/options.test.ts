import { expect, test } from "bun:test";
import { profileOptionSpecs } from "#commands/profile/options.ts";
import { documentFormats } from "#renderers/formats.ts";

test("profileOptionSpecs names every format", () => {
  for (const format of documentFormats) {
    expect(profileOptionSpecs["format"]?.describe).toContain(format);
  }
});
