import { describe, expect, test } from "bun:test";
import { summaryFormats } from "#renderers/formats.ts";
import { render } from "#renderers/index.ts";
import { fullSummary } from "../support/made-summary.ts";
import { summaryOf } from "../support/play.ts";

describe("each format", () => {
  for (const format of summaryFormats) {
    test(`${format} tells the tool, its tokens and the server, and ends its last line`, () => {
      const text = render(format, fullSummary(), { color: false });
      for (const told of ["search", "12,?3", "garden"]) expect(text).toMatch(new RegExp(told));
      expect(text).toEndWith("\n");
    });

    test(`${format} has something to say of nothing`, () => {
      expect(render(format, summaryOf([]), { color: true })).toEndWith("\n");
    });
  }
});
