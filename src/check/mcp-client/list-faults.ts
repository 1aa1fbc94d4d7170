import { specTypeSchemas } from "./sdk.ts";
import type { ListFault } from "../list-changes-and-faults.ts";
import { findMetaFault } from "../malformed-answer.ts";
import { findOutputSchemaFault, findRejectingSdks } from "../output-schema-problems.ts";
import { readArray, isObject, readMember, readString } from "#wire/json.ts";
import { clientPagesMax, type ListPage, type ServerLists } from "./read-lists.ts";

type Issue = {
  // Begins with the key of the list and the index of the entry if the fault is in an entry.
  readonly path: readonly PropertyKey[];
  readonly reason: string;
  readonly rejectedBy: ListFault["rejectedBy"];
};

type JudgedList = { readonly key: string; readonly schema: PageSchema };

type PageSchema = (typeof specTypeSchemas)[
  "ListToolsResult" | "ListPromptsResult" | "ListResourceTemplatesResult"];

const judgedMethods: ReadonlyMap<string, JudgedList> = new Map<string, JudgedList>([
  ["tools/list", { key: "tools", schema: specTypeSchemas.ListToolsResult }],
  ["prompts/list", { key: "prompts", schema: specTypeSchemas.ListPromptsResult }],
  [
    "resources/templates/list",
    { key: "resourceTemplates", schema: specTypeSchemas.ListResourceTemplatesResult },
  ],
]);

export function findListFaults(
  { pages, declaresTools, tools }: Pick<ServerLists, "pages" | "declaresTools" | "tools">,
  isModern: boolean,
): ListFault[] {
  const faults: ListFault[] = [];
  if (!declaresTools && tools.length > 0) faults.push(undeclaredFault);
  for (const [method, judged] of judgedMethods) {
    const listPages = pages.filter((page) => page.method === method);
    let entriesBefore = 0;
    for (const { result } of listPages) {
      faults.push(...findPageFaults({ method, result }, judged, { entriesBefore, isModern }));
      entriesBefore += readArray(result, judged.key).length;
    }
    if (listPages.length > clientPagesMax) faults.push(makePagesFault(method));
  }
  return faults;
}

const undeclaredFault: ListFault = {
  rule: "tools_undeclared",
  method: "tools/list",
  name: null,
  text: 'the server does not declare the "tools" capability',
  rejectedBy: "sdk2",
};

function makePagesFault(method: string): ListFault {
  const text = `it has more than ${clientPagesMax} pages`;
  return { rule: "list_rejected", method, name: null, text, rejectedBy: "sdk2" };
}

function findPageFaults(
  { method, result }: ListPage,
  { key, schema }: JudgedList,
  { entriesBefore, isModern }: { readonly entriesBefore: number; readonly isModern: boolean },
): ListFault[] {
  const schemaIssues = validatePage(schema, result);
  // The SDK's schemas use the rules of 2026 for `outputSchema` even in the legacy era, so `findOutputIssues` judges it.
  const otherIssues = schemaIssues.filter(({ path: [, , member] }) => member !== "outputSchema");
  const issues = isModern
    ? [
        ...otherIssues.filter(({ path }) => isJudgedByModernRules(path)),
        ...findModernIssues(result),
      ]
    : [...otherIssues, ...findPropertyIssues(result)];
  issues.push(...findOutputIssues(result, isModern));
  const metaFault = findMetaFault(result, { isModern });
  if (metaFault !== undefined) issues.push({ path: [], reason: metaFault, rejectedBy: "both" });
  // Keeps one fault per entry, because a second may follow from the first.
  const firstByEntry = new Map<string, Issue>();
  for (const issue of issues) {
    const entry = formatPath(issue.path.slice(0, 2), 0);
    if (!firstByEntry.has(entry)) firstByEntry.set(entry, issue);
  }
  return [...firstByEntry.values()].map(({ path, reason, rejectedBy }) => ({
    rule: chooseRule(path),
    method,
    name: findName(result, key, path),
    text: path.length === 0 ? reason : `${formatPath(path, entriesBefore)}: ${reason}`,
    rejectedBy,
  }));
}

function validatePage(schema: PageSchema, result: unknown): Issue[] {
  const { issues = [] } = schema["~standard"].validate(result);
  return issues.map(({ path = [], message }) => ({
    path: path.map((step) => (typeof step === "object" ? step.key : step)),
    reason: rewordReason(message),
    rejectedBy: "both",
  }));
}

function rewordReason(message: string): string {
  return message
    .replace(/^Invalid (input|option): /, "")
    .replace("expected record", "expected object")
    .replace(/received undefined$/, "but it is missing");
}

// False for members that the SDK's schemas judge by the rules of 2025.
function isJudgedByModernRules(path: readonly PropertyKey[]): boolean {
  const [first, , member, inner] = path;
  if (first === "_meta" || member === "execution") return false;
  return member !== "inputSchema" || (inner !== "properties" && inner !== "required");
}

function findModernIssues(result: unknown): Issue[] {
  const issues: Issue[] = [];
  const expect = (path: readonly PropertyKey[], isValid: boolean, form: string): void => {
    if (!isValid) issues.push({ path, reason: `expected ${form}`, rejectedBy: "both" });
  };
  const [ttl, scope] = [readMember(result, "ttlMs"), readMember(result, "cacheScope")];
  expect(["ttlMs"], Number.isSafeInteger(ttl) && Number(ttl) >= 0, "a whole number of at least 0");
  expect(["cacheScope"], scope === "public" || scope === "private", '"public" or "private"');
  for (const [at, tool] of readArray(result, "tools").entries()) {
    const dialect = readMember(tool, "inputSchema", "$schema");
    const isAbsentOrText = dialect === undefined || typeof dialect === "string";
    expect(["tools", at, "inputSchema", "$schema"], isAbsentOrText, "a string");
  }
  return issues;
}

// Only clients of SDK 1.x reject property schemas that are not objects, such as `true`.
function findPropertyIssues(result: unknown): Issue[] {
  return readArray(result, "tools").flatMap((tool, at) => {
    const properties = readMember(tool, "inputSchema", "properties");
    if (!isObject(properties)) return [];
    return Object.entries(properties).flatMap(([name, property]): Issue[] => {
      if (typeof property === "object" && property !== null) return [];
      const path = ["tools", at, "inputSchema", "properties", name];
      return [{ path, reason: "expected object", rejectedBy: "sdk1" }];
    });
  });
}

function findOutputIssues(result: unknown, isModern: boolean): Issue[] {
  return readArray(result, "tools").flatMap((tool, at): Issue[] => {
    const schema = readMember(tool, "outputSchema");
    const reason = schema === undefined ? undefined : findOutputSchemaFault(schema, isModern);
    if (reason === undefined) return [];
    const path = ["tools", at, "outputSchema"];
    return [{ path, reason, rejectedBy: findRejectingSdks(schema, isModern) }];
  });
}

function chooseRule([list, at, member, inner]: readonly PropertyKey[]): ListFault["rule"] {
  if (list !== "tools" || at === undefined) return "list_rejected";
  if (member === undefined || member === "name") return "entries_not_tools";
  if (member === "outputSchema") return "output_schema_rejected";
  const isTypeFault = member === "inputSchema" && (inner === undefined || inner === "type");
  return isTypeFault ? "input_schema_rejected" : "list_rejected";
}

function findName(result: unknown, key: string, [, at]: readonly PropertyKey[]): string | null {
  if (typeof at !== "number") return null;
  return readString(readArray(result, key)[at], "name") ?? null;
}

function formatPath(path: readonly PropertyKey[], entriesBefore: number): string {
  const steps = path.map((step, depth) => {
    if (typeof step === "number") return `[${depth === 1 ? entriesBefore + step : step}]`;
    const name = String(step);
    if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `[${JSON.stringify(name)}]`;
    return depth === 0 ? name : `.${name}`;
  });
  return steps.join("");
}
