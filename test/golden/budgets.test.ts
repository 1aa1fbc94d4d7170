import { describe, expect, test } from "bun:test";
import type { SavedAnswer } from "#meter/budgets/decision.ts";
import { createReaderChooser } from "#commands/reader-chooser.ts";
import { listSummaryNotes } from "#screens/renderers/documents/summary-notes.ts";
import { makeTokenFormat } from "#screens/renderers/token-ranges.ts";
import { escapeForTerminal } from "#screens/renderers/terminal.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { readMember } from "#wire/json.ts";
import { GatedSession } from "../support/gated-session.ts";
import { o200kTokens, type SpokenEra, spokenEras } from "../support/eras.ts";
import { maxTokensForJson, maxTokensForTexts } from "../support/max-tokens.ts";
import { summaryOf } from "../support/play.ts";

const text = (of: string) => ({ type: "text", text: of });
const prose = "Oslo is cold today.\n".repeat(100);
const rows = Array.from({ length: 150 }, (_, at) => ({ day: at, temp: 3 }));
const json = JSON.stringify({ rows });

const longText = { content: [text(prose)], structuredContent: { days: 150 } };
const longStructure = { content: [text("150 days")], structuredContent: { rows } };

const twins = { content: [text(json)], structuredContent: { rows } };
const structureAlone = { content: [], structuredContent: { rows } };
const sameAnswers = [
  ["a text that equals the structure", twins],
  ["a structure alone", structureAlone],
  ["a text alone", { content: [text(json)] }],
] as const;
const promised = { outputSchema: { type: "object" } };
const cutAnswers = [
  ["truncate", "free", {}],
  ["truncate", "promised", promised],
  ["spill", "free", {}],
  ["spill", "promised", promised],
] as const;

const header = "Wall time: 0.0110 seconds\nOutput:";
const wrapped = (of: string): string => `<untrusted_context>\n${of}\n</untrusted_context>`;
type Show = (texts: readonly string[]) => readonly string[];
const plain: Show = (texts) => texts;
const joined =
  (joint: string): Show =>
  (texts) => [texts.join(joint)];

type Row = {
  readonly client: string;
  readonly model?: string;
  readonly ofLongText: readonly string[];
  readonly ofLongStructure: readonly string[];
  readonly shows: Show;
  readonly isKept?: boolean;
  readonly leavesLittle?: boolean;
};

const first = { ofLongText: [prose], ofLongStructure: ["150 days"], isKept: true };
const second = { ofLongText: ['{"days":150}'], ofLongStructure: [json] };
const both = { ofLongText: [prose, '{"days":150}'], ofLongStructure: ["150 days", json] };
const turned = { ofLongText: ['{"days":150}', prose], ofLongStructure: [json, "150 days"] };

const clients: readonly Row[] = [
  { client: "claude-code", ...second, shows: plain, leavesLittle: true },
  { client: "codex-mcp-client", model: "gpt-5.5", ...second, shows: (of) => [header, ...of] },
  { client: "codex-mcp-client", model: "gpt-6", ...both, shows: plain },
  { client: "Visual Studio Code", ...second, shows: plain },
  {
    client: "gemini-cli-mcp-client",
    ...first,
    shows: (texts) => [texts.map(wrapped).join("\n")],
  },
  { client: "opencode", ...first, shows: joined("\n\n") },
  { client: "cursor-vscode", ...first, shows: plain },
  { client: "qwen-cli-mcp-client-garden", ...turned, shows: joined("\n"), leavesLittle: true },
  { client: "copilot-cli", ...both, shows: joined(""), leavesLittle: true },
  { client: "JetBrains-IU-copilot-intellij", ...both, shows: plain },
  { client: "golden-host", ...both, shows: plain },
];

const input = ["weather", '{"q":1}'];
const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, one) => sum + o200kTokens(one), 0);

function held({ begin, ask, answer }: SpokenEra, { client, model }: Row, budget: string) {
  const files: SavedAnswer[] = [];
  const saveAnswer = (file: SavedAnswer): string => {
    files.push(file);
    return "/spills/1.txt";
  };
  return (result: object, definition: object = {}) => {
    const { asked, answered } = begin(client);
    const reader = { tokenizer: "o200k", model, client: undefined, windowTokens: undefined };
    const session = new GatedSession([budget], {
      readerFor: createReaderChooser(reader as never),
      saveAnswer,
    })
      .client(asked)
      .server(answered)
      .client(ask(1, "tools/list"))
      .server(answer(1, { tools: [{ name: "weather", inputSchema: {}, ...definition }] }))
      .client(ask(2, "tools/call", { name: "weather", arguments: { q: 1 } }))
      .server(answer(2, result))
      .end();
    const got: unknown = readMember(JSON.parse(session.toClient.at(-1) ?? "{}"), "result");
    const content = readMember(got, "content");
    const texts = (Array.isArray(content) ? content : []).map((block) =>
      String(readMember(block, "text")),
    );
    return { session, got, texts, files, call: session.calls[0] };
  };
}

function expectHead(texts: readonly string[]): void {
  const [head = "", note = ""] = texts;
  expect(texts.length).toBe(2);
  expect(json).toStartWith(head);
  expect(head.length).toBeGreaterThan(200);
  const [kept, all] = [formatCount(head.length), formatCount(json.length)];
  expect(note).toStartWith(`[mcp-meter: cut after ${kept} of ${all} characters to fit`);
}

function repeatedIn({ begin, ask, answer }: SpokenEra, client: string, schema: object = {}) {
  const { asked, answered } = begin(client);
  const tools = [{ name: "weather", inputSchema: schema }];
  const session = new GatedSession([], { repeatsMax: 5 })
    .client(asked)
    .server(answered)
    .client(ask(1, "tools/list"))
    .server(answer(1, { tools }));
  for (let at = 2; at < 8; at += 1) {
    const more = at % 2 === 0 ? {} : { wait_for_previous: true };
    session.client(ask(at, "tools/call", { name: "weather", arguments: { q: 1, ...more } }));
    session.server(answer(at, { content: [text("Cold")] }));
  }
  const { records, calls } = session.end();
  return {
    refused: calls.filter(({ outcome }) => outcome === "refused").length,
    repeats: summaryOf(records).repeats.calls,
    alerts: records.filter((one) => one.type === "alert" && one.alert === "repeated_call").length,
  };
}

describe.each(spokenEras.map((era) => [era.era, era] as const))("%s", (_era, era) => {
  test("an argument that Gemini CLI adds is compared nowhere, one of the tool everywhere", () => {
    expect(repeatedIn(era, "gemini-cli-mcp-client")).toEqual({
      refused: 1,
      repeats: 4,
      alerts: 1,
    });
    const apart = { refused: 0, repeats: 4, alerts: 0 };
    expect(repeatedIn(era, "golden-host")).toEqual(apart);
    const properties = { wait_for_previous: { type: "boolean" } };
    expect(repeatedIn(era, "gemini-cli-mcp-client", { properties })).toEqual(apart);
  });

  test("an unknown client: budgets count the most expensive reading of both halves, the summary shows the usual one", () => {
    const row = { client: "golden-host", ...both, shows: plain };
    const { session, call } = held(era, row, "5k/session")(longStructure);
    const read = tokensOf(["150 days"]);
    const whole =
      maxTokensForTexts(["150 days"], o200kTokens) + maxTokensForJson({ rows }, o200kTokens);
    expect(whole).toBeGreaterThan(tokensOf(["150 days", json]));
    const asked = tokensOf(input);
    expect(call).toMatchObject({
      output_tokens: read,
      total_tokens: asked + read,
      most_tokens: asked + whole,
    });
    const summary = summaryOf(session.records);
    expect(summary.budgets).toMatchObject([{ spent: asked + whole }]);
    expect(summary.total.total_tokens).toBe(asked + read);
    const notes = listSummaryNotes(summary, makeTokenFormat(true)).map((note) =>
      escapeForTerminal(note.text),
    );
    expect(notes).toContain(
      `budgets also count ~${formatCount(whole - read)} tokens that an unknown client might show; name the client with --as-client NAME`,
    );
    const { texts } = held(era, row, "weather=400")(longStructure);
    expect(texts[0]).toContain(`the call is at most ${formatCount(asked + whole)} tokens; the`);
  });

  test("an unknown client reads once what an answer says twice", () => {
    const row = { client: "golden-host", ...both, shows: plain };
    const twice = { content: [text(json)], structuredContent: { rows } };
    const { session, call } = held(era, row, "5k/session")(twice);
    const texts = maxTokensForTexts([json], o200kTokens);
    const spent = tokensOf(input) + Math.max(texts, maxTokensForJson({ rows }, o200kTokens));
    expect(call).toMatchObject({ most_tokens: spent });
    expect(summaryOf(session.records).budgets).toMatchObject([{ spent }]);
  });

  describe.each(clients.map((row) => [`${row.client} ${row.model ?? ""}`.trim(), row] as const))(
    "%s",
    (_name, row) => {
      const answers = [
        ["a long text", longText, row.ofLongText],
        ["a long structure", longStructure, row.ofLongStructure],
      ] as const;

      test.each(answers)("%s is withheld where its model would read it", (_kind, result, read) => {
        const { call, texts } = held(era, row, "weather=400")(result);
        const isLong = tokensOf(read) > 400;
        expect(call?.outcome).toBe(isLong ? "refused" : "ok");
        if (isLong) expect(texts[0]).toStartWith("mcp-meter: weather ran, but its answer was");
      });

      test.each(answers)("%s is cut in the texts that its model reads", (_kind, result, read) => {
        const { call, texts, got } = held(era, row, "weather=400:truncate")(result);
        if (tokensOf(read) <= 400) {
          expect(texts).toEqual([result.content[0]?.text ?? ""]);
          return;
        }
        const head = texts.slice(0, -1);
        expect(read.join("")).toStartWith(head.join(""));
        expect(texts.at(-1)).toBe(
          `[mcp-meter: cut after ${formatCount(head.join("").length)} of ${formatCount(read.join("").length)} characters to fit the budget weather=400:truncate; narrow the request to get a complete answer]`,
        );
        const structured = readMember(got, "structuredContent");
        expect(structured).toEqual(row.isKept ? result.structuredContent : undefined);
        expect(readMember(got, "isError")).toBeUndefined();
        const output = tokensOf(row.shows(texts));
        // Long texts that a client joins are counted apart.
        expect(call?.output_tokens).toBeWithin(output, output + 4);
        expect(call?.outcome).toBe("ok");
        expect(call?.most_tokens ?? tokensOf(input) + output).toBeWithin(380, 401);
      });

      test.each(answers)("%s is saved as its model would read it", (_kind, result, read) => {
        const { texts, files } = held(era, row, "weather=400:spill")(result);
        expect(files.length).toBe(tokensOf(read) > 400 ? 1 : 0);
        const [file] = files;
        if (!file) return;
        const indented = read.map((one) =>
          one.startsWith("{") ? JSON.stringify(JSON.parse(one), null, 2) : one,
        );
        expect(file.text).toBe(indented.join("\n"));
        const lines = file.text.split("\n").length;
        expect(texts.at(-1)).toContain(
          `the whole answer is in /spills/1.txt (${(file.text.length / 1024).toFixed(1)} KB, ${lines} lines): search that file or read it in parts]`,
        );
        expect(file.folder).toBe(row.client.startsWith("gemini") ? "workspace" : "state");
      });

      // Gemini CLI shows its model nothing of an answer without content.
      const readAnswers = sameAnswers.filter(
        ([, result]) => !(row.client.startsWith("gemini") && result === structureAlone),
      );

      describe.each(readAnswers)("%s", (_kind, result) => {
        test.each(cutAnswers)("is cut by %s, its structure %s", (action, _what, definition) => {
          const answered = held(era, row, `weather=400:${action}`)(result, definition);
          const { call, texts, got, files } = answered;
          expect(call?.outcome).toBe("ok");
          expect(call?.most_tokens ?? call?.total_tokens).toBeWithin(370, 401);
          expect(call?.most_tokens !== undefined).toBe(row.client === "golden-host");
          expectHead(texts);
          const isKept = row.isKept === true && result === twins;
          const isBroken = definition === promised && "structuredContent" in result && !isKept;
          expect(readMember(got, "structuredContent")).toEqual(isKept ? { rows } : undefined);
          expect(readMember(got, "isError")).toBe(isBroken ? true : undefined);
          const saved = files.map((file): unknown => JSON.parse(file.text));
          expect(saved).toEqual(action === "spill" ? [{ rows }] : []);
        });
      });

      test("an error is cut as far as its model's reading of it fits, and stays an error", () => {
        const failure = { content: [text(prose)], isError: true };
        const { call, texts, got } = held(era, row, "weather=400:truncate")(failure);
        const [head = "", note = ""] = texts;
        expect(prose).toStartWith(head);
        expect(head.length).toBeGreaterThan(200);
        expect(note).toStartWith(`[mcp-meter: cut after ${formatCount(head.length)} of 2,000 `);
        expect(readMember(got, "isError")).toBe(true);
        expect(call?.outcome).toBe("tool_error");
        expect(call?.most_tokens ?? call?.total_tokens).toBeWithin(380, 401);
      });

      test("an answer that the client itself saves or cuts costs what it leaves", () => {
        const long = { content: [text("Oslo is cold today.\n".repeat(6_000))] };
        const { call } = held(era, row, "weather=2000")(long);
        expect(call?.outcome).toBe(row.leavesLittle === true ? "ok" : "refused");
        expect(call?.wire_tokens).toBe(o200kTokens(long.content[0]?.text ?? ""));
      });

      test("a client that was promised the structure gets it, or an error", () => {
        const { got } = held(
          era,
          row,
          "weather=600:truncate",
        )(row.ofLongText.includes(prose) ? longText : longStructure, promised);
        const isPromiseKept = readMember(got, "structuredContent") !== undefined;
        expect(isPromiseKept).toBe(row.isKept === true);
        expect(readMember(got, "isError")).toBe(isPromiseKept ? undefined : true);
      });
    },
  );
});
