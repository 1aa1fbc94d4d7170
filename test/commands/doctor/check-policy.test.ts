import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { checkPolicy } from "#commands/doctor/check-policy.ts";
import { patient } from "./patient.ts";

// With a policy: test/e2e/policy.test.ts, since nothing moves the folder of the system.
test.if(!existsSync("/etc/mcp-meter/config.json"))("a machine without a policy", async () => {
  for (const platform of ["linux", "darwin", "win32"]) {
    expect(await checkPolicy(patient({}, { platform }))).toEqual([
      {
        check: "policy",
        status: "ok",
        detail: "the system config locks nothing",
        fix: null,
      },
    ]);
  }
});
