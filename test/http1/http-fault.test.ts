import { expect, test } from "bun:test";
import { faultOf, HttpFault, malformed } from "#http1/http-fault.ts";

test("a fault has a code for sentences, also one that the runtime threw", () => {
  expect(malformed()).toMatchObject({ name: "HttpFault", code: "HPE_INVALID_ANSWER" });
  const fault = new HttpFault("ECONNRESET");
  expect(faultOf(fault)).toBe(fault);
  expect(faultOf(new TypeError("Invalid header"))).toMatchObject({ code: "HPE_INVALID_ANSWER" });
});
