import { expect, test } from "bun:test";
import { serverListing } from "#commands/server/server-listing.ts";

test("serverListing joins a server's identity and its lists", () => {
  const identity = {
    name: "s",
    version: "1",
    protocolVersion: "2025-06-18",
    era: "legacy",
  } as const;
  const offer = {
    tools: [{ name: "t" }],
    notTools: 0,
    prompts: [],
    resources: [],
    resourceTemplates: [],
    pages: [],
    declaresTools: true,
  };
  expect(
    serverListing({
      server: { ...identity, instructions: "Do.", introduction: { title: "S" } },
      offer,
    }),
  ).toEqual({
    ...offer,
    instructions: "Do.",
    introduction: { title: "S" },
    server: { name: "s", version: "1", protocol_version: "2025-06-18", era: "legacy" },
  });
});
