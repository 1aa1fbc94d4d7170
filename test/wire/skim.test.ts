import { describe, expect, test } from "bun:test";
import { findMember } from "#wire/skim.ts";
import { skimBytes } from "#wire/skimmer.ts";
import { bytesOf } from "../support/bytes.ts";

describe("findMember", () => {
  test("takes the last of several, as JSON.parse does", () => {
    expect(findMember(skimBytes(bytesOf('{"id":1,"id":2}')), "id")?.text).toBe("2");
  });

  test("reads escaped keys", () => {
    expect(findMember(skimBytes(bytesOf('{"\\u0069d":3}')), "id")?.text).toBe("3");
  });

  test("does not find members of members", () => {
    expect(findMember(skimBytes(bytesOf('{"params":{"id":1}}')), "id")).toBeUndefined();
  });
});
