import { expect, test } from "bun:test";
import { screens } from "#dash/view.ts";
import { viewOf } from "#dash/views/index.ts";
import { dashModel, viewChoice, viewSetting } from "../../support/dash-model.ts";

test("every screen has a view that names it, with records and without", () => {
  for (const model of [dashModel(), dashModel([])]) {
    for (const screen of screens) {
      const choice = viewChoice({ screen, session: "x", server: "github", tool: "search_code" });
      expect(viewOf(model, choice, viewSetting()).head.screen).toBe(screen);
    }
  }
});
