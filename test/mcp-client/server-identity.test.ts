import { expect, test } from "bun:test";
import { Client } from "#mcp-client/sdk.ts";
import { identityOf } from "#mcp-client/server-identity.ts";

test("a server that was not greeted is unknown", () => {
  expect(identityOf(new Client({ name: "c", version: "1" }))).toEqual({
    name: null,
    version: null,
    protocolVersion: null,
    era: null,
    instructions: undefined,
    introduction: {},
  });
});

test("a server that was greeted has its name, era and introduction, as far as their types are right", () => {
  const icons = [{ src: "https://host/a.png" }];
  const about = { title: "Raw", description: "A server", websiteUrl: "https://host", icons };
  const greeted = {
    getServerVersion: () => ({ name: "raw", version: "1", ...about }),
    getNegotiatedProtocolVersion: () => "2026-07-28",
    getProtocolEra: () => "modern" as const,
    getInstructions: () => "Do.",
  };
  expect(identityOf(greeted)).toEqual({
    name: "raw",
    version: "1",
    protocolVersion: "2026-07-28",
    era: "modern",
    instructions: "Do.",
    introduction: about,
  });
  const odd: object = { name: "raw", version: "1", title: 7, icons: [null] };
  const read = identityOf({
    ...greeted,
    getServerVersion: () => Object.assign({ name: "", version: "" }, odd),
  });
  expect(read.introduction).toEqual({});
});
