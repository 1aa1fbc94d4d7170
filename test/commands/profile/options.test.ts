import { expect, test } from "bun:test";
import { profileOptionSpecs } from "#commands/profile/options.ts";
import { profileFormats } from "#renderers/profile-formats.ts";

test("profileOptionSpecs names every format", () => {
  for (const format of profileFormats) {
    expect(profileOptionSpecs["format"]?.describe).toContain(format);
  }
});
