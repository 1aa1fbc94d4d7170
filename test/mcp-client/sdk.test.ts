import { expect, test } from "bun:test";
import { specTypeSchemas } from "#mcp-client/sdk.ts";

test("the forms of the SDK answer at once, with the path of each fault", () => {
  const { issues } = specTypeSchemas.ListToolsResult["~standard"].validate({ tools: [null] });
  expect(issues?.map(({ path }) => path)).toEqual([["tools", 0]]);
});
