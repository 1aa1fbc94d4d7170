import { expect, test } from "bun:test";
import { Leaving } from "#http1/leaving.ts";

test("each listener is called once: those before it then, those after it at once", () => {
  const leaving = new Leaving();
  const log: string[] = [];
  leaving.onLeave(() => void log.push("before"));
  expect(leaving.hasLeft).toBe(false);
  leaving.leave();
  leaving.leave();
  leaving.onLeave(() => void log.push("after"));
  expect(leaving.hasLeft).toBe(true);
  expect(log).toEqual(["before", "after"]);
});
