import { readArray, isObject, readMember, readString, type JsonObject } from "#wire/json.ts";
import { readSdkErrorCode, UnusableAnswer } from "./failure.ts";
import type { ComparedLists } from "../list-changes-and-faults.ts";
import { listEntriesMax } from "#tokens/cost/tool-list.ts";

export const listPagesMax = 1_000;

// Clients of SDK 2.x request at most this many pages.
export const clientPagesMax = 64;

export const listBytesMax = 128 * 1024 * 1024;

export type ServerLists = {
  readonly tools: readonly JsonObject[];
  readonly invalidEntryCount: number;
  readonly prompts: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  readonly skills: readonly JsonObject[];
  readonly pages: readonly ListPage[];
  readonly declaresTools: boolean;
};

export type ListPage = { readonly method: string; readonly result: unknown };

export type SendRequest = (method: string, params: JsonObject) => Promise<unknown>;

const methodNotFound = -32_601;

// Defined by SEP-2640.
const skillsExtension = "io.modelcontextprotocol/skills";

export async function readLists(
  request: SendRequest,
  capabilities: unknown,
  receivedBytes: () => number,
): Promise<ServerLists> {
  const pages: ListPage[] = [];
  const declares = makeDeclares(capabilities);
  const listEntries = (method: string, key: string): Promise<unknown[]> =>
    listAll({ request, receivedBytes, method, key, pages });
  const list = async (method: string, key: string): Promise<JsonObject[]> =>
    (await listEntries(method, key)).filter(isObject);
  const entries = await listEntries("tools/list", "tools");
  const tools = entries.filter(isObject);
  const invalidEntryCount = entries.filter(
    (entry) => readString(entry, "name") === undefined,
  ).length;
  const prompts = declares("prompts") ? await list("prompts/list", "prompts") : [];
  const skills = declares("extensions", skillsExtension) ? await list("skills/list", "skills") : [];
  const common = {
    tools,
    invalidEntryCount,
    prompts,
    skills,
    pages,
    declaresTools: declares("tools"),
  };
  if (!declares("resources")) return { ...common, resources: [], resourceTemplates: [] };
  const resources = await list("resources/list", "resources");
  const resourceTemplates = await list("resources/templates/list", "resourceTemplates");
  return { ...common, resources, resourceTemplates };
}

// Leaves out resources, which are data and may change at any time.
export async function rereadLists(
  request: SendRequest,
  capabilities: unknown,
  receivedBytes: () => number,
): Promise<ComparedLists> {
  const list = async (method: string, key: string): Promise<JsonObject[]> => {
    const entries = await listAll({ request, receivedBytes, method, key, pages: [] });
    const objects = entries.filter(isObject);
    if (objects.length === entries.length) return objects;
    throw new UnusableAnswer(`its answer to ${method} has an entry that is not an object`);
  };
  const declares = makeDeclares(capabilities);
  return {
    tools: await list("tools/list", "tools"),
    prompts: declares("prompts") ? await list("prompts/list", "prompts") : [],
    resourceTemplates: declares("resources")
      ? await list("resources/templates/list", "resourceTemplates")
      : [],
    skills: declares("extensions", skillsExtension) ? await list("skills/list", "skills") : [],
  };
}

function makeDeclares(capabilities: unknown): (name: string, extension?: string) => boolean {
  return (name, extension) => readMember(capabilities, name, extension) !== undefined;
}

type Listing = {
  readonly request: SendRequest;
  readonly receivedBytes: () => number;
  readonly method: string;
  readonly key: string;
  readonly pages: ListPage[];
};

async function listAll({
  request,
  receivedBytes,
  method,
  key,
  pages,
}: Listing): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  let previousText = "";
  for (let page = 0; page < listPagesMax && items.length <= listEntriesMax; page += 1) {
    const result = await requestPage(request, method, cursor);
    if (result === undefined) return items;
    if (!Array.isArray(readMember(result, key))) {
      throw new UnusableAnswer(`its answer to ${method} has no list of ${key}`);
    }
    if (receivedBytes() > listBytesMax) {
      throw new UnusableAnswer(`its lists are longer than ${listBytesMax / 1024 / 1024} MiB`);
    }
    const entries = readArray(result, key);
    const next = readString(result, "nextCursor");
    // Clients of SDK 2.x stop if a page has the same entries and `nextCursor` as the page before it.
    const pageText = next === undefined ? "" : JSON.stringify(entries);
    if (next !== undefined && next === cursor && pageText === previousText) return items;
    pages.push({ method, result });
    items.push(...entries);
    [cursor, previousText] = [next, pageText];
    if (cursor === undefined) return items;
  }
  throw new UnusableAnswer(`its list of ${key} is too long`);
}

async function requestPage(
  request: SendRequest,
  method: string,
  cursor: string | undefined,
): Promise<unknown> {
  try {
    return await request(method, cursor === undefined ? {} : { cursor });
  } catch (error) {
    if (readSdkErrorCode(error) !== methodNotFound) throw error;
    return undefined;
  }
}
