import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { renderJson } from "#renderers/json.ts";
import { hostileText, unsafeIn } from "../support/hostile.ts";
import { hostileSummary } from "../support/made-summary.ts";

test("renderJson is the data, safe on a screen, whatever it holds", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const summary = hostileSummary(text);
      const json = renderJson(summary);
      expect(JSON.stringify(JSON.parse(json))).toBe(JSON.stringify(summary));
      expect(unsafeIn(json.replaceAll("\n", ""))).toEqual([]);
      expect(json).toEndWith("}\n");
    }),
  );
});
