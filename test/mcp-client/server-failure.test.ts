import { expect, test } from "bun:test";
import { UserError } from "#errors.ts";
import { ServerFailure } from "#mcp-client/server-failure.ts";

test("a failure of a server is a sentence with exit code 3, and a fault that quotes nothing", () => {
  const fault = { kind: "refused", reason: "it refused tools/list (-32603)" } as const;
  const failure = new ServerFailure('The server "a" refused tools/list: key k (-32603)', fault);
  expect(failure).toBeInstanceOf(UserError);
  expect(failure).toMatchObject({ exitCode: 3, fault });
});
