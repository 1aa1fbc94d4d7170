import { describe, expect, test } from "bun:test";
import {
  formatAddress,
  switchScreen,
  formatQuery,
  listPeriods,
  parseAddress,
  openScreen,
} from "#screens/dash/page/address.ts";
import type { ViewChoice } from "#screens/dash/view.ts";

const overview: ViewChoice = { screen: "overview", period: "7d" };

describe("an address and its choice:", () => {
  const rows: readonly (readonly [address: string, choice: ViewChoice])[] = [
    ["#/", overview],
    ["#/?period=today", { screen: "overview", period: "today" }],
    ["#/budgets", { screen: "budgets", period: "7d" }],
    [
      "#/tool?period=30d&server=a%26b&tool=%28resources%2Fread%29",
      { screen: "tool", period: "30d", server: "a&b", tool: "(resources/read)" },
    ],
    ["#/session?session=s%3F1", { screen: "session", period: "7d", session: "s?1" }],
    [
      "#/trend?client=c&estimator=o200k",
      { screen: "trend", period: "7d", client: "c", estimator: "o200k" },
    ],
  ];
  for (const [address, choice] of rows) {
    test(address, () => {
      expect(parseAddress(address)).toEqual(choice);
      expect(formatAddress(choice)).toBe(address);
    });
  }

  const hostile = [
    "",
    "#",
    "#/nothing",
    "#/?period=forever&server=",
    "#/__proto__?x=y",
    "#/%zz?%zz",
  ];
  for (const address of hostile) {
    test(`"${address}" is the overview`, () => {
      expect(parseAddress(address)).toEqual(overview);
    });
  }

  test("a name with any characters comes back", () => {
    const tool = "<b>\u202e #?&=+% \u0000";
    const choice: ViewChoice = { screen: "tool", period: "all", server: "s", tool };
    expect(parseAddress(formatAddress(choice))).toEqual(choice);
  });
});

test("paramsOf names the screen and the period, and leaves absent names out", () => {
  expect(formatQuery({ ...overview, server: "a b", client: undefined })).toBe(
    "screen=overview&period=7d&server=a+b",
  );
});

describe("from one screen to another:", () => {
  const tool: ViewChoice = { screen: "tool", period: "all", server: "a", tool: "t", client: "c" };

  test("the filters stay", () => {
    const next = switchScreen({ ...overview, server: "a", client: "c", estimator: "e" }, "trend");
    expect(formatAddress(next)).toBe("#/trend?server=a&client=c&estimator=e");
  });

  test("the server of a tool is not a filter", () => {
    expect(formatAddress(switchScreen(tool, "overview"))).toBe("#/?period=all&client=c");
  });

  test("a tool, a server and a session have addresses of their own", () => {
    const choice = { ...tool, cost: "on" };
    const opened = [
      openScreen(choice, "tool", { server: "b", tool: "u" }),
      openScreen(choice, "definitions", { server: "b" }),
      openScreen(choice, "session", { session: "s" }),
    ];
    expect(opened.map(formatAddress)).toEqual([
      "#/tool?period=all&server=b&client=c&tool=u&cost=on",
      "#/definitions?period=all&server=b&client=c&cost=on",
      "#/session?period=all&client=c&session=s&cost=on",
    ]);
  });
});

const labels = (days: number, choice: Partial<ViewChoice> = {}) =>
  listPeriods({ ...overview, ...choice }, days).map(([, label]) => label);

test("periods are those that the days of the page tell apart", () => {
  expect(labels(30)).toEqual(["Today", "7 days", "30 days"]);
  expect(labels(61)).toEqual(["Today", "7 days", "30 days", "61 days"]);
  expect(labels(3)).toEqual(["Today", "3 days"]);
  expect(labels(1)).toEqual(["Today", "1 day"]);
  expect(labels(30, { screen: "trend" })).toEqual(["Today", "7 days", "15 days"]);
  expect(labels(30, { period: "all" })).toEqual(["Today", "7 days", "30 days"]);
  expect(labels(14, { period: "all" })).toEqual(["Today", "7 days", "14 days"]);
});
