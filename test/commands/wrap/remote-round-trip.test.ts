import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { type ConfiguredEntry, findEntries } from "#clients/configured-entries.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import {
  type ChangedEntries,
  type ChangingFile,
  planUnwrapping,
  planWrapping,
} from "#commands/wrap/plan-entry-changes.ts";
import { parseClientText } from "#state/storage/clients/read-settings.ts";
import { isObject } from "#wire/json.ts";
import { type RandomChoices, anyChoices, shuffled } from "../../support/random-choices.ts";

const headers = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom("Authorization", "X-Key", "x_2", "api-key"),
      value: fc.oneof(
        fc.constantFrom("Bearer a.b-c", "it's", "é", 'q"q', "back\\slash", "# x", "a: b"),
        fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 8 }),
      ),
    }),
    { selector: ({ name }) => name, maxLength: 3 },
  )
  .map((all) => all.filter(({ value }) => !/\$[A-Za-z_({]|\{\{|\{(?:env|file):/.test(value)));

type Headers = readonly { readonly name: string; readonly value: string }[];

const literal = (text: string): string => JSON.stringify(text).replaceAll("\u007f", "\\u007f");

function jsonDocument(all: Headers, draw: RandomChoices): string {
  const eol = draw.pick(["\n", "\r\n"]);
  const gap = (): string => draw.pick(["", " ", eol, `${eol}\t\t`, ' /* , " */ ', `// x" ]${eol}`]);
  const object = (members: readonly string[]): string =>
    `{${members.map((text) => `${gap()}${text}${gap()}`).join(",")}${members.length > 0 ? draw.pick(["", ","]) : ""}${gap()}}`;
  const member = (name: string, value: string): string =>
    `${draw.pick([`"${name}"`, `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`])}${gap()}:${gap()}${value}`;
  const entry = [
    member("url", '"https:\\/\\/example.com/mcp"'),
    member("headers", object(all.map(({ name, value }) => member(name, literal(value))))),
    member("timeout", draw.pick(["1.0e3", "12345678901234567890"])),
    ...draw.pick([[], [member("type", '"http"')]]),
  ];
  const servers = [member("a", object(shuffled(entry, draw))), member("b", '{"command":"x"}')];
  return `${gap()}${object([member("mcpServers", object(shuffled(servers, draw))), member("x", "null")])}${gap()}`;
}

function tomlDocument(all: Headers, draw: RandomChoices): string {
  const eol = draw.pick(["\n", "\r\n"]);
  const comment = (): string => draw.pick(["", "", ` # "] = '`]);
  const key = (name: string): string => draw.pick([name, `"${name}"`]);
  const pairs = all.map(({ name, value }) => `${key(name)} = ${literal(value)}`);
  const form = draw.pick(["table", "inline", "dotted", "entry"]);
  const url = `${key("url")} = 'https://example.com/mcp'`;
  const token = draw.pick([[], [`bearer_token_env_var = "TOKEN"`]]);
  const inline = `${key("http_headers")} = { ${pairs.join(", ")} }`;
  if (form === "entry") {
    return `[mcp_servers]${comment()}${eol}a = { ${shuffled([url, inline, ...token], draw).join(" , ")} }${comment()}${eol}b = { command = 'x' }`;
  }
  const dotted = pairs.map((pair) => `http_headers.${pair}`);
  const lines = [url, "tool_timeout_sec = 20.0", ...token];
  const entryMembers = form === "inline" ? [inline] : form === "dotted" ? dotted : [];
  const table = form === "table" ? [`[mcp_servers.a.${key("http_headers")}]`, ...pairs] : [];
  return [
    "# top",
    `[mcp_servers.${key("a")}]`,
    ...shuffled([...lines, ...entryMembers], draw),
    ...table,
    "[mcp_servers.b]",
    "command = 'x'",
  ]
    .map((line) => `${draw.pick(["", "", "  "])}${line}${comment()}`)
    .join(eol);
}

function yamlDocument(all: Headers, draw: RandomChoices): string {
  const eol = draw.pick(["\n", "\r\n"]);
  const comment = (): string => draw.pick(["", "", " # x: [", "   # '"]);
  const pairs = all.map(
    ({ name, value }) => `${draw.pick([name, `"${name}"`])}: ${literal(value)}`,
  );
  const isFlow = draw.pick([true, false, false]);
  const url = `url: ${draw.pick(["https://example.com/mcp", "'https://example.com/mcp'"])}`;
  const flowHeaders = `headers: {${pairs.join(", ")}}`;
  if (isFlow) {
    const members = shuffled([url, "type: streamable-http", flowHeaders], draw);
    return `mcpServers: {a: {${members.join(" , ")}}, b: {command: x}}${comment()}${eol}`;
  }
  const block = `headers:${comment()}${pairs.map((pair) => `${eol}      ${pair}${comment()}`).join("")}`;
  const isBlock = pairs.length > 0 && draw.pick([true, false]);
  const members = [
    `${url}${comment()}`,
    `type: "sse"${comment()}`,
    isBlock ? block : `${flowHeaders}${comment()}`,
    "timeout: 1.0",
  ];
  const body = shuffled(members, draw)
    .map((line) => `    ${line}`)
    .join(eol);
  return `# top${eol}mcpServers:${comment()}${eol}  a:${comment()}${eol}${body}${eol}  b: {command: y}${draw.pick(["", eol])}`;
}

const makers = {
  json: ["cursor", jsonDocument],
  toml: ["codex", tomlDocument],
  yaml: ["librechat", yamlDocument],
} as const;

function entries(client: ClientId, text: string): readonly ConfiguredEntry[] {
  const read = parseClientText(text, clients[client].language);
  if ("fault" in read) throw new Error(`${read.fault}: ${text}`);
  return findEntries(clients[client], read.value);
}

const frontFor = () => ["/opt/my tools/mcp-meter", "--server", "a", "--"];

function change(file: ChangingFile, action: "wrap" | "unwrap"): ChangedEntries {
  const chosen = entries(file.client, file.text).filter(({ rawName }) => rawName === "a");
  return action === "unwrap"
    ? planUnwrapping(file, chosen)
    : planWrapping(file, chosen, { buildFront: frontFor });
}

describe.each(["json", "toml", "yaml"] as const)("remote entries in %s", (language) => {
  test("start mcp-remote with their headers in variables, and come back byte for byte", () => {
    const [client, maker] = makers[language];
    let wrappedCount = 0;
    let count = 0;
    fc.assert(
      fc.property(headers, anyChoices, (all, draw) => {
        const text = maker(all, draw);
        const file = { text, language, client, notes: [] };
        const wrapped = change(file, "wrap");
        count += 1;
        if (wrapped.refused.size > 0) {
          expect(wrapped.text).toBe(text);
          return;
        }
        wrappedCount += 1;
        const entry = entries(client, wrapped.text).find(({ rawName }) => rawName === "a");
        const words = (entry?.words ?? []).map(String);
        for (const { name } of all) expect(words.join(" ")).toContain(` --header ${name}:\${`);
        const env: unknown = entry?.entry["env"];
        const secrets = new Set(isObject(env) ? Object.values(env) : []);
        expect(secrets).toEqual(new Set(all.map(({ value }) => value)));
        expect(JSON.stringify(wrapped.notes)).not.toContain("Bearer a");
        const made = { ...file, text: wrapped.text, notes: wrapped.notes };
        expect(change(made, "unwrap")).toMatchObject({ text, notes: [] });
        const mark = language === "json" ? "/* later */" : "# later";
        const late = { ...made, text: `${wrapped.text.trimEnd()}\n${mark}\n` };
        expect(change(late, "unwrap").text).toBe(`${text.trimEnd()}\n${mark}\n`);
      }),
      { numRuns: 80 },
    );
    expect(wrappedCount / count).toBeGreaterThan(0.9);
  });
});
