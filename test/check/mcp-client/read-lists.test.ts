import { describe, expect, test } from "bun:test";
import {
  listBytesMax,
  listPagesMax,
  rereadLists,
  readLists,
  type SendRequest,
} from "#check/mcp-client/read-lists.ts";
import { rejectionOf } from "../../support/folder.ts";

const notFound = Object.assign(new Error("Method not found"), { code: -32_601 });
const everything = { tools: {}, prompts: {}, resources: {} };

function server(answers: { readonly [method: string]: (params: object) => unknown }) {
  const methods: string[] = [];
  const request: SendRequest = async (method, params) => {
    methods.push(method);
    const answer = answers[method];
    if (!answer) throw notFound;
    return answer(params);
  };
  return { asked: methods, request };
}

describe("readLists", () => {
  test("reads all pages of all lists", async () => {
    const { request } = server({
      "tools/list": (params) =>
        "cursor" in params
          ? { tools: [{ name: "b" }] }
          : { tools: [{ name: "a" }], nextCursor: "2" },
      "prompts/list": () => ({ prompts: [{ name: "p" }] }),
      "resources/list": () => ({ resources: [{ uri: "r" }, "not an object"] }),
      "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "t" }] }),
    });
    expect(await readLists(request, everything, () => 0)).toMatchObject({
      tools: [{ name: "a" }, { name: "b" }],
      invalidEntryCount: 0,
      prompts: [{ name: "p" }],
      resources: [{ uri: "r" }],
      resourceTemplates: [{ uriTemplate: "t" }],
    });
  });

  test("counts the entries of tools/list that are not tools, on all pages", async () => {
    const { request } = server({
      "tools/list": (params) =>
        "cursor" in params
          ? { tools: [{ name: "b" }, { title: "without a name" }, { name: 7 }] }
          : { tools: ["a", null, { name: "a" }, []], nextCursor: "2" },
    });
    expect(await readLists(request, undefined, () => 0)).toMatchObject({ invalidEntryCount: 5 });
  });

  test("asks for tools always, and for the rest as far as it is declared", async () => {
    const { asked: methods, request } = server({});
    const lists = {
      tools: [],
      invalidEntryCount: 0,
      prompts: [],
      resources: [],
      resourceTemplates: [],
    };
    const nothing = { ...lists, skills: [], pages: [], declaresTools: false };
    expect(await readLists(request, undefined, () => 0)).toEqual(nothing);
    expect(methods).toEqual(["tools/list"]);
  });

  test("keeps every page as the server wrote it, and what the server declares", async () => {
    const pages = [
      { tools: [null], nextCursor: "2" },
      { tools: [], nextCursor: 5 },
    ];
    const { request } = server({
      "tools/list": (params) => pages["cursor" in params ? 1 : 0],
    });
    expect(await readLists(request, { tools: {} }, () => 0)).toMatchObject({
      pages: pages.map((result) => ({ method: "tools/list", result })),
      declaresTools: true,
    });
  });

  test("an empty cursor is a cursor, whose list ends when the same page comes again", async () => {
    const first = { tools: [{ name: "a" }], nextCursor: "" };
    const listing = server({ "tools/list": () => first });
    expect(await readLists(listing.request, undefined, () => 0)).toMatchObject({
      tools: first.tools,
      pages: [{ result: first }],
    });
    expect(listing.asked).toHaveLength(2);
    const two = server({
      "tools/list": (params) => ("cursor" in params ? { tools: [{ name: "b" }] } : first),
    });
    const { tools } = await readLists(two.request, undefined, () => 0);
    expect(tools).toEqual([{ name: "a" }, { name: "b" }]);
  });

  test("a method that the server does not have lists nothing", async () => {
    const { asked: methods, request } = server({ "tools/list": () => ({ tools: [] }) });
    await readLists(request, everything, () => 0);
    expect(methods).toEqual([
      "tools/list",
      "prompts/list",
      "resources/list",
      "resources/templates/list",
    ]);
  });

  test.each([
    ["is not a list", () => ({ tools: {} }), 0, "its answer to tools/list has no list of tools"],
    [
      "fails",
      () => {
        throw new Error("broken");
      },
      0,
      "broken",
    ],
    ["is too long", () => ({ tools: [] }), listBytesMax + 1, "its lists are longer than 128 MiB"],
    [
      "does not end",
      ({ cursor = "" }) => ({ tools: [], nextCursor: `${cursor}1` }),
      0,
      "its list of tools is too long",
    ],
  ] as const)("throws when a list %s", async (_, answer, received, message) => {
    const { asked: methods, request } = server({ "tools/list": answer });
    const listed = readLists(request, undefined, () => received);
    expect(await rejectionOf(listed)).toBe(`Error: ${message}`);
    expect(methods.length).toBeLessThanOrEqual(listPagesMax);
  });
});

test("rereadLists rejects an entry that is not an object", async () => {
  const { request } = server({ "tools/list": () => ({ tools: [{ name: "a" }, "b"] }) });
  expect(await rejectionOf(rereadLists(request, undefined, () => 0))).toContain(
    "its answer to tools/list has an entry that is not an object",
  );
});

test("rereadLists reads all pages of every list but resources, within the same limits", async () => {
  const { asked: methods, request } = server({
    "tools/list": (params) =>
      "cursor" in params ? { tools: [{ name: "b" }] } : { tools: [{ name: "a" }], nextCursor: "2" },
    "prompts/list": () => ({ prompts: [{ name: "p" }] }),
    "resources/list": () => expect.unreachable(),
    "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "t" }] }),
  });
  expect(await rereadLists(request, undefined, () => listBytesMax)).toEqual({
    tools: [{ name: "a" }, { name: "b" }],
    prompts: [],
    resourceTemplates: [],
    skills: [],
  });
  expect(methods).toEqual(["tools/list", "tools/list"]);
  const capabilities = { prompts: {}, resources: {} };
  expect(await rereadLists(request, capabilities, () => listBytesMax)).toMatchObject({
    prompts: [{ name: "p" }],
    resourceTemplates: [{ uriTemplate: "t" }],
  });
  expect(await rejectionOf(rereadLists(request, capabilities, () => listBytesMax + 1))).toContain(
    "are longer than",
  );
});
