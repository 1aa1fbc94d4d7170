import { expect, test } from "bun:test";
import { titleOf } from "#dash/page/screens/titles.ts";
import type { View } from "#dash/view.ts";

const view = (head: object): View => ({ head, tables: {} }) as unknown as View;

test("a title names the thing of its screen, with hostile characters in the open", () => {
  const titles = [
    { screen: "overview" },
    { screen: "trend" },
    { screen: "budgets" },
    { screen: "definitions", server: null },
    { screen: "definitions", server: "memory" },
    { screen: "tool", server: "memory", tool: "a\u202eb" },
    { screen: "session", session: null, session_id: "s1" },
    { screen: "session", session: { began_local: "2026-11-22 14:00", server: "memory" } },
  ].map((head) => titleOf(view(head)));
  expect(titles).toEqual([
    "Overview",
    "Trend",
    "Budgets",
    "Definitions",
    "Definitions of memory",
    "a\\u202eb · memory",
    "Session s1",
    "Session 2026-11-22 14:00 · memory",
  ]);
});
