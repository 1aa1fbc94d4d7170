import { describe, expect, test } from "bun:test";
import { report } from "#commands/report/command.ts";
import { parseReportOptions } from "#commands/report/options.ts";
import type { MeterRecord } from "#records/record.ts";
import { displayWidth } from "#kit/text/columns.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { fortnightNowMs, madeFortnight, oneClient } from "../../support/made-fortnight.ts";
import { servedMachine } from "../../support/served.ts";

async function ask(
  sessions: readonly (readonly MeterRecord[])[],
  options: { readonly [name: string]: boolean | string | readonly string[] } = {},
): Promise<readonly string[]> {
  using machine = servedMachine(sessions);
  const terminal = { isTerminal: true, columns: 80 };
  const { io, stdout } = fakeIo({ env: { XDG_STATE_HOME: machine.folder.path }, stdout: terminal });
  const parsed = parseReportOptions({
    options: { timezone: "UTC", ...options },
    operands: [],
    child: [],
  });
  await report(parsed, io, fortnightNowMs);
  return stdout().trimEnd().split("\n");
}

const lineAfter = (lines: readonly string[], head: RegExp): string | undefined =>
  lines[lines.findIndex((line) => head.test(line)) + 1];

const readCells = (line: string | undefined): readonly string[] => (line ?? "").split(/ {2,}/);

for (const [people, sessions] of [
  ["one client", madeFortnight(oneClient)],
  ["four clients", madeFortnight()],
] as const) {
  const lines = await ask(sessions);
  describe(`the six questions, asked of a fortnight of ${people}`, () => {
    test("are answered in 40 lines of 80 columns", () => {
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(Math.max(...lines.map((line) => displayWidth(line)))).toBeLessThanOrEqual(80);
    });

    test("which server?", () => {
      expect(readCells(lineAfter(lines, /^server +sessions/))[0]).toBe("github");
    });

    test("which tool?", () => {
      expect(readCells(lineAfter(lines, /^server +tool/)).slice(0, 2)).toEqual([
        "github",
        "search_code",
      ]);
    });

    test("which day?", () => {
      const bars = lines.filter((line) => line.includes("█"));
      const [longest] = bars.toSorted((a, b) => b.split("█").length - a.split("█").length);
      expect(readCells(longest)[0]).toBe("2026-11-19");
    });

    test("how much money?", () => {
      expect(lines[2]).toMatch(/~\$\d/);
    });

    test("is it getting worse?", () => {
      expect(lines[2]).toMatch(/^~[\d,]+ tokens \(\d+% more than before\) in /);
    });

    test("what should change?", () => {
      expect(lines.join("\n")).toMatch(/~−[\d,]+ +weather: started in \d+ sessions and never/);
    });
  });
}

test("a client is one, by whichever of its names it is asked for", async () => {
  const sessions = madeFortnight();
  const lines = await ask(sessions, { by: ["client"] });
  const names = lines.map((line) => readCells(line)[0]);
  expect(names).toContain("codex");
  expect(names).toContain("gemini-cli");
  expect(names.filter((name) => name?.includes("mcp-client"))).toEqual([]);
  const [byWire, byLog] = [
    await ask(sessions, { by: ["server"], client: ["codex-mcp-client"] }),
    await ask(sessions, { by: ["server"], client: ["codex"] }),
  ];
  expect(byWire).toEqual(byLog);
});

test("sessions without a model are priced as those of their client, and the report says so", async () => {
  const lines = await ask(madeFortnight(), { by: ["client"], cost: true });
  expect(lines.join("\n")).toMatch(/model +\d+ calls from codex priced as calls by gpt-5.5/);
  expect(lines.join("\n")).toMatch(/no price +\d+ calls by an unknown model/);
  const named = await ask(madeFortnight(), { by: ["client"], cost: true, model: "gpt-5" });
  expect(named.join("\n")).toMatch(/\d+ calls from opencode priced as calls by gpt-5/);
  expect(named.join("\n")).not.toContain("no price");
});

test("a client whose model nothing names is priced by its default, and the report says so", async () => {
  const sessions = madeFortnight(oneClient.map((client) => ({ ...client, model: null })));
  expect((await ask(sessions))[2]).toMatch(/~\$\d/);
  const notes = (await ask(sessions, { by: ["client"], cost: true })).join(" ");
  expect(notes.replaceAll(/\s+/g, " ")).toMatch(
    /\d+ calls from claude-code priced as calls by claude-opus-5-5, the client's default; --model NAME chooses another/,
  );
});

test("with --cost the largest amount is first, and days stay in order", async () => {
  // The calls of one server are for a cheaper model.
  const cheap = madeFortnight().map((records) =>
    records.map((record) =>
      record.type === "session" && record.server === "github"
        ? { ...record, model: "gemini-2.5-flash-lite" }
        : record,
    ),
  );
  const read = async (options: { readonly [name: string]: boolean | readonly string[] }) => {
    const { sum } = JSON.parse(
      (await ask(cheap, { json: true, since: "20d", ...options })).join(""),
    );
    return sum.tables[0].rows.map((row: { readonly [axis: string]: unknown }) => {
      return row["server"] ?? row["day"];
    });
  };
  expect((await read({ by: ["server"] }))[0]).toBe("github");
  expect((await read({ by: ["server"], cost: true }))[0]).toBe("filesystem");
  const days = await read({ by: ["day"], cost: true });
  expect(days).toEqual(days.toSorted());
});

test("JSON has the advice of --advice, but not beside tables", async () => {
  const sessions = madeFortnight();
  const read = async (options: { readonly [name: string]: boolean | readonly string[] }) =>
    JSON.parse((await ask(sessions, { json: true, ...options })).join(""));
  const { blocks } = await read({ advice: true });
  const { advice } = await read({});
  expect(advice).toEqual(blocks[0].advice);
  expect(advice.length).toBeGreaterThan(1);
  expect(await read({ by: ["server"] })).not.toHaveProperty("advice");
});

test("rows by hour, project and agent say what they add up, and where names come from", async () => {
  const sessions = madeFortnight(oneClient);
  const read = async (axis: string) =>
    (await ask(sessions, { by: [axis] })).join(" ").replaceAll(/ +/g, " ");
  expect(await read("hour")).toContain("hour each hour of the day, added up over all days");
  expect(await read("project")).toContain("run mcp-meter import --names");
  expect(await read("agent")).toContain("(unknown) metered calls: the agent is");
  expect(await read("server")).not.toContain("(unknown)");
});

test("--model must name a priced model, and needs prices", async () => {
  const sessions = madeFortnight(oneClient);
  await expect(ask(sessions, { model: "opus" })).rejects.toThrow(
    'There is no price for --model "opus"; name the model as its maker does, for example claude-opus-5 or gpt-5.5',
  );
  await expect(ask(sessions, { by: ["day"], model: "gpt-5.5" })).rejects.toThrow(
    "--model requires --cost",
  );
});

test("without a price the first screen says so", async () => {
  const [first = []] = madeFortnight([
    { client_name: "other", model: "nobody-1", estimator: "o200k", estimation_encoding: "x" },
  ]).slice(-3);
  const lines = await ask([first]);
  expect(lines.join("\n")).toMatch(/cost +unknown: no price for the model of \d+ calls; see --by/);
});
