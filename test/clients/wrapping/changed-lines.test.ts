import { expect, test } from "bun:test";
import {
  croppedMarginCharacters,
  shownLineCharactersMax,
  findChangedLines,
} from "#clients/wrapping/change-text.ts";

test("edits of one line are one change, without the lines around", () => {
  const text = "one\ntwo three\nfour\nfive";
  const settings = { text, language: "yaml" } as const;
  const edits = [
    { start: 8, end: 13, text: "3" },
    { start: 4, end: 7, text: "2" },
    { start: 19, end: 19, text: "4.5\n" },
  ];
  expect(findChangedLines(settings, edits)).toEqual([
    { before: "two three", after: "2 3" },
    { before: "five", after: "4.5\nfive" },
  ]);
});

const long = (length: number) =>
  findChangedLines({ text: "x".repeat(length), language: "yaml" }, [
    { start: 1_000, end: 1_001, text: "-" },
  ]);

test("of a long line the surroundings of a change are shown", () => {
  expect(long(shownLineCharactersMax)[0]?.before).toHaveLength(shownLineCharactersMax);
  const shown = long(shownLineCharactersMax + 1)[0];
  expect(shown?.before).toHaveLength(2 * croppedMarginCharacters + 1);
  expect(shown?.after).toBe(
    `${"x".repeat(croppedMarginCharacters)}-${"x".repeat(croppedMarginCharacters)}`,
  );
});

function showChange(text: string, language: "json" | "toml" | "yaml") {
  const at = text.indexOf("npx");
  const edits = [{ start: at, end: at + 3, text: "mcp-meter" }];
  const [lines] = findChangedLines({ text, language }, edits);
  return lines;
}

test("secrets on a changed line are masked, before and after", () => {
  const text = JSON.stringify({
    gh: {
      command: "npx",
      args: ["--token", "ghp_1", "--api-key=k1", "-e", "A=s1", "--header", "X: s2", "plain"],
      env: { PLAIN: "s3", PORT: 4711 },
      url: "https://u:s4@host/?api_key=s5",
      headers: { Authorization: "Bearer s6" },
      apiKey: "s7",
      shell: "run --password s8 now",
    },
  });
  const before =
    '{"gh":{"command":"npx","args":["--token","***","--api-key=***","-e","***","--header","***","plain"],' +
    '"env":{"PLAIN":"***","PORT":***},"url":"https://u:***@host/?api_key=***",' +
    '"headers":{"Authorization":"***"},"apiKey":"***","shell":"run --password *** now"}}';
  expect(showChange(text, "json")).toEqual({ before, after: before.replace("npx", "mcp-meter") });
});

test.each([
  ["exec env API_KEY=s1 B=2 server", "exec env API_KEY=*** B=2 server"],
  ["server --api-key 's1 s2' --port 80", "server --api-key '***' --port 80"],
  ['server --api-key "s1" --port 80', 'server --api-key "***" --port 80'],
  ["server --token='s1'", "server --token='***'"],
  ["curl -H 'X-Api-Key: s1 s2' -v", "curl -H 'X-Api-Key: ***' -v"],
  ["curl -H 'Authorization: Bearer s1' -v", "curl -H 'Authorization: ***' -v"],
  ["--header=X-Api-Key: s1", "--header=X-Api-Key: ***"],
  ["--header=X:s1", "--header=X:***"],
  ["--env=A=s1", "--env=A=***"],
  ["https://s1@h/x", "https://***@h/x"],
])("of the argument %j is shown %j", (arg, shown) => {
  const [text, masked] = [arg, shown].map((word) =>
    JSON.stringify({ command: "npx", args: ["-c", word] }),
  );
  expect(showChange(text ?? "", "json")?.before).toBe(masked);
});

test("secrets are masked in TOML and YAML, and where the change moves them", () => {
  const toml = `env = { A = 's1' }\nc = { command = "npx", env = { B = 's2', "c.d" = "s3" } }`;
  expect(showChange(toml, "toml")).toEqual({
    before: `c = { command = "npx", env = { B = '***', "c.d" = "***" } }`,
    after: `c = { command = "mcp-meter", env = { B = '***', "c.d" = "***" } }`,
  });
  const yaml = "c: {command: npx, env: {TOKEN: s1}, args: [--token, s2, --port, 80]}";
  expect(showChange(yaml, "yaml")?.after).toBe(
    "c: {command: mcp-meter, env: {TOKEN: ***}, args: [--token, ***, --port, 80]}",
  );
});
