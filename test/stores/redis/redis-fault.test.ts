import { expect, test } from "bun:test";
import { errorCode } from "#os/error-code.ts";
import { RedisFault } from "#stores/redis/redis-fault.ts";

test("its code is the reason that is recorded", () => {
  expect(errorCode(new RedisFault("OOM"))).toBe("OOM");
});
