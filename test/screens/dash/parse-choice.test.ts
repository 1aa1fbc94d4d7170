import { expect, test } from "bun:test";
import { parseChoice } from "#screens/dash/server/server.ts";
import { periods, screens } from "#screens/dash/view.ts";

const parse = (query: string) => parseChoice(new URLSearchParams(query));

test("an address without parameters is the overview of a week", () => {
  expect(parse("")).toMatchObject({ screen: "overview", period: "7d" });
});

test("every screen and period can be named", () => {
  for (const screen of screens) {
    for (const period of periods) {
      expect(parse(`screen=${screen}&period=${period}`)).toMatchObject({ screen, period });
    }
  }
});

test("names are text as they are, and empty ones choose nothing", () => {
  expect(parse("screen=tool&server=a%20b%0A&tool=%3Cimg%3E&client=")).toMatchObject({
    server: "a b\n",
    tool: "<img>",
    client: undefined,
  });
});

test("other screens and periods are refused, those of every object too", () => {
  for (const query of ["screen=login", "screen=__proto__", "period=1y", "screen=constructor"]) {
    expect(parse(query)).toBeUndefined();
  }
});
