import { expect, test } from "bun:test";
import { Client as NewerClient } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { findListFaults } from "#check/mcp-client/list-faults.ts";
import { clientPagesMax } from "#check/mcp-client/read-lists.ts";
import { readArray, readMember, type JsonObject } from "#wire/json.ts";
import { listingServer } from "../../support/listing-server.ts";

const info = { name: "c", version: "1" };

type Lists = { readonly [method: string]: JsonObject };
type Verdicts = { readonly older: boolean; readonly newer: boolean; readonly modern: boolean };

const patience = { timeout: 10 };

async function findRejections(lists: Lists): Promise<Verdicts> {
  const older = new OlderClient(info);
  const newer = new NewerClient(info, { versionNegotiation: { mode: "legacy" } });
  const modern = new NewerClient(info, { versionNegotiation: { mode: "auto" } });
  await older.connect(listingServer(lists) as never);
  await newer.connect(listingServer(lists) as never);
  await modern.connect(listingServer(lists) as never);
  const verdicts: boolean[] = [];
  for (const client of [older, newer, modern]) {
    let isRejected = false;
    for (const list of ["listTools", "listPrompts", "listResourceTemplates"] as const) {
      await client[list](undefined, patience).catch(() => (isRejected = true));
    }
    verdicts.push(isRejected);
    await client.close();
  }
  const [first = false, second = false, third = false] = verdicts;
  return { older: first, newer: second, modern: third };
}

const declared = { declaresTools: true, tools: [] };

function findFaults(lists: Lists, isModern: boolean) {
  const pages = Object.entries(lists).map(([method, result]) => ({ method, result }));
  return findListFaults({ ...declared, pages }, isModern);
}

const tool = { name: "t", inputSchema: { type: "object" } };
const page = { ttlMs: 0, cacheScope: "public" };
const ofTools = (added: object): Lists => ({
  "tools/list": { ...page, tools: [tool, { ...tool, ...added }] },
});
const ofInput = (added: object): Lists => ofTools({ inputSchema: { type: "object", ...added } });
const ofOutput = (added: object): Lists => ofTools({ outputSchema: { type: "object", ...added } });
const ofPage = (added: object): Lists => ({ "tools/list": { ...page, tools: [tool], ...added } });
const ofPrompt = (added: object): Lists => ({
  "prompts/list": { ...page, prompts: [{ name: "p", ...added }] },
});
const ofTemplate = (added: object): Lists => ({
  "resources/templates/list": {
    ...page,
    resourceTemplates: [{ name: "r", uriTemplate: "f:///{a}", ...added }],
  },
});

// In the 2025 era the text is part of the fault; whether 2026 has a fault follows from the client.
test.each<readonly [name: string, lists: Lists, fault: string | undefined]>([
  ["a tool", ofTools({}), undefined],
  ["title: 5", ofTools({ title: 5 }), "tools[1].title: expected string, received number"],
  ["title: null", ofTools({ title: null }), "tools[1].title: expected string, received null"],
  ["description: []", ofTools({ description: [] }), "tools[1].description: expected string"],
  ["icons: text", ofTools({ icons: "x" }), "tools[1].icons: expected array, received string"],
  [
    "icons: [{}]",
    ofTools({ icons: [{}] }),
    "tools[1].icons[0].src: expected string, but it is missing",
  ],
  ["an icon's sizes", ofTools({ icons: [{ src: "x", sizes: "1x1" }] }), "tools[1].icons[0].sizes"],
  ["an icon's theme", ofTools({ icons: [{ src: "x", theme: "red" }] }), "tools[1].icons[0].theme"],
  ["_meta: text", ofTools({ _meta: "x" }), "tools[1]._meta: expected object, received string"],
  ["_meta: null", ofTools({ _meta: null }), "tools[1]._meta: expected object, received null"],
  ["annotations: []", ofTools({ annotations: [] }), "tools[1].annotations: expected object"],
  ["a hint", ofTools({ annotations: { readOnlyHint: "x" } }), "tools[1].annotations.readOnlyHint"],
  ["a hint more", ofTools({ annotations: { extra: 1 } }), undefined],
  ["execution", ofTools({ execution: { taskSupport: "maybe" } }), "execution.taskSupport"],
  ["execution: text", ofTools({ execution: "x" }), "tools[1].execution: expected object"],
  ["inputSchema: null", ofTools({ inputSchema: null }), "tools[1].inputSchema: expected object"],
  ["input type", ofInput({ type: "array" }), 'tools[1].inputSchema.type: expected "object"'],
  ["required: null", ofInput({ required: null }), "tools[1].inputSchema.required: expected array"],
  ["required: text", ofInput({ required: "a" }), "tools[1].inputSchema.required: expected array"],
  ["required: [1]", ofInput({ required: ["a", 1] }), "tools[1].inputSchema.required[1]"],
  ["properties: null", ofInput({ properties: null }), "tools[1].inputSchema.properties"],
  ["properties: []", ofInput({ properties: [] }), "tools[1].inputSchema.properties"],
  ["property: null", ofInput({ properties: { a: null } }), "tools[1].inputSchema.properties.a"],
  ["property: true", ofInput({ properties: { "a b": true } }), 'inputSchema.properties["a b"]'],
  ["property: []", ofInput({ properties: { a: [] } }), undefined],
  ["$schema: 5", ofInput({ $schema: 5 }), undefined],
  ["output type", ofOutput({ type: "array" }), 'tools[1].outputSchema: it is not of type "object"'],
  ["outputSchema: null", ofTools({ outputSchema: null }), "tools[1].outputSchema"],
  ["output $schema", ofOutput({ $schema: 5 }), undefined],
  ["tool: null", ofPage({ tools: [tool, null] }), "tools[1]: expected object, received null"],
  ["no name", ofTools({ name: undefined }), "tools[1].name: expected string"],
  ["nextCursor: 5", ofPage({ nextCursor: 5 }), "nextCursor: expected string, received number"],
  ["nextCursor: {}", ofPage({ nextCursor: {} }), "nextCursor: expected string, received object"],
  ["nextCursor: null", ofPage({ nextCursor: null }), "nextCursor: expected string, received null"],
  ["another member", ofPage({ other: 5 }), undefined],
  ["a progressToken", ofPage({ _meta: { progressToken: {} } }), "_meta has a progressToken"],
  ["no ttlMs", ofPage({ ttlMs: undefined }), undefined],
  ["ttlMs: 1.5", ofPage({ ttlMs: 1.5 }), undefined],
  ["cacheScope", ofPage({ cacheScope: "all" }), undefined],
  ["a prompt", ofPrompt({ arguments: [{ name: "x", required: true }] }), undefined],
  ["prompt: null", { "prompts/list": { ...page, prompts: [null] } }, "prompts[0]: expected object"],
  ["prompt icons", ofPrompt({ icons: "x" }), "prompts[0].icons: expected array, received string"],
  ["prompt arguments", ofPrompt({ arguments: "zz" }), "prompts[0].arguments: expected array"],
  ["an argument", ofPrompt({ arguments: [{}] }), "prompts[0].arguments[0].name: expected string"],
  ["its required", ofPrompt({ arguments: [{ name: "x", required: "false" }] }), "[0].required"],
  ["prompt _meta", ofPrompt({ _meta: [] }), "prompts[0]._meta: expected object, received array"],
  ["a template", ofTemplate({ annotations: { audience: ["user"], priority: 1 } }), undefined],
  ["a template's name", ofTemplate({ name: undefined }), "resourceTemplates[0].name"],
  ["template icons", ofTemplate({ icons: "x" }), "resourceTemplates[0].icons: expected array"],
  ["its annotations", ofTemplate({ annotations: 5 }), "resourceTemplates[0].annotations"],
  ["an audience", ofTemplate({ annotations: { audience: "user" } }), "annotations.audience"],
  ["a priority", ofTemplate({ annotations: { priority: 2 } }), "annotations.priority"],
  ["a time", ofTemplate({ annotations: { lastModified: "now" } }), "annotations.lastModified"],
  [
    "template: null",
    { "resources/templates/list": { ...page, resourceTemplates: [null] } },
    "resourceTemplates[0]: expected object, received null",
  ],
])("findListFaults rejects a list as clients of both SDKs do: %s", async (_, lists, fault) => {
  const [faults, modern] = [findFaults(lists, false), findFaults(lists, true)];
  const bys = new Set(faults.map(({ rejectedBy }) => rejectedBy));
  expect({
    older: bys.has("both") || bys.has("sdk1"),
    newer: bys.has("both") || bys.has("sdk2"),
    modern: modern.length > 0,
  }).toEqual(await findRejections(lists));
  expect(faults.map(({ text }) => text)).toEqual(
    fault === undefined ? [] : [expect.stringContaining(fault)],
  );
});

test("findListFaults names the entry by its position in the whole list, once", () => {
  const pages = [
    { tools: [tool, tool], nextCursor: "2" },
    { tools: [{ ...tool, title: 5, icons: 5 }] },
  ];
  const lists = { ...declared, pages: pages.map((result) => ({ method: "tools/list", result })) };
  expect(findListFaults(lists, false)).toMatchObject([
    {
      rule: "list_rejected",
      name: "t",
      rejectedBy: "both",
      text: expect.stringContaining("tools[2]."),
    },
  ]);
});

test("findListFaults leaves faults that have a rule of their own to it", () => {
  const tools = [null, { ...tool, inputSchema: {} }, { ...tool, outputSchema: 5 }];
  const faults = findFaults(ofPage({ tools }), false);
  expect(faults.map(({ rule }) => rule)).toEqual([
    "entries_not_tools",
    "input_schema_rejected",
    "output_schema_rejected",
  ]);
});

test("a list of a server that does not declare tools is empty for clients of 2.x", async () => {
  const lists = ofTools({});
  const pages = [{ method: "tools/list", result: lists["tools/list"] }];
  const undeclared = { pages, tools: [tool], declaresTools: false };
  expect(findListFaults(undeclared, false)).toMatchObject([
    { rule: "tools_undeclared", rejectedBy: "sdk2" },
  ]);
  expect(findListFaults({ ...undeclared, tools: [] }, false)).toEqual([]);
  const older = new OlderClient(info);
  const newer = new NewerClient(info, { versionNegotiation: { mode: "legacy" } });
  await older.connect(listingServer(lists, {}) as never);
  await newer.connect(listingServer(lists, {}) as never);
  expect((await older.listTools()).tools).toHaveLength(2);
  expect((await newer.listTools()).tools).toEqual([]);
});

test("clients of 2.x reject a list of too many pages", async () => {
  for (const count of [clientPagesMax, clientPagesMax + 1]) {
    const pages = Array.from({ length: count }, (_, at) => ({
      method: "tools/list",
      result: { tools: [tool], ...(at + 1 < count ? { nextCursor: `${at + 1}` } : {}) },
    }));
    const faults = findListFaults({ ...declared, pages }, false);
    const newer = new NewerClient(info, { versionNegotiation: { mode: "legacy" } });
    await newer.connect(
      listingServer(
        (_, params) => pages[Number(readMember(params, "cursor") ?? 0)]?.result,
      ) as never,
    );
    const listed = await newer.listTools().catch(() => undefined);
    expect([faults.length, readArray(listed, "tools").length]).toEqual(
      count > clientPagesMax ? [1, 0] : [0, count],
    );
  }
});

test("clients of 2.x end a list with an empty cursor when the same page comes again", async () => {
  const newer = new NewerClient(info, { versionNegotiation: { mode: "legacy" } });
  await newer.connect(listingServer(ofPage({ nextCursor: "" })) as never);
  expect((await newer.listTools()).tools).toHaveLength(1);
});
