import { expect, test } from "bun:test";
import { otherSide } from "#wire/side.ts";

test("otherSide is the other side", () => {
  expect([otherSide("client"), otherSide("server")]).toEqual(["server", "client"]);
});
