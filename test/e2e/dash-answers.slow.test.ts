import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Measures, UsageReport, UsageRow } from "#history/reports/usage-report.ts";
import { formatDollarRange, formatSmallShare, formatChange } from "#kit/text/numbers.ts";
import { formatElapsed } from "#kit/text/durations.ts";
import type { MeterRecord } from "#records/record.ts";
import { formatDay } from "#screens/dash/page/format.ts";
import {
  Dash,
  waitUntilLive,
  openTab,
  startBrowser,
  until,
  visit,
} from "../support/dash-browser.ts";
import { writeSessions } from "../support/dash-home.ts";
import { fortnightNowMs, madeFortnight } from "../support/made-fortnight.ts";
import {
  callRecord,
  definitionsRecord,
  toolDefinition,
  endRecord,
  sessionRecord,
} from "../support/made-records.ts";
import { has } from "../support/needs.ts";
import { eachHome } from "./each-home.ts";
import { runMeter } from "./run.ts";

const canBrowse = has("chromium", "the page of dash");

let browser: Browser;
const home = eachHome();

beforeAll(async () => {
  if (canBrowse) browser = await startBrowser();
});

afterAll(async () => {
  if (canBrowse) await browser.close();
});

const dayMs = 86_400_000;

function shiftToNow(sessions: MeterRecord[][]): MeterRecord[][] {
  const shift = Math.floor((Date.now() - fortnightNowMs) / dayMs) * dayMs;
  return sessions.map((records) =>
    records.map((record) => ({
      ...record,
      ts: new Date(Date.parse(record.ts) + shift).toISOString(),
    })),
  );
}

/** With an error, a repeated call, a refused one, and one whose answer was withheld. */
function madeSession(): MeterRecord[] {
  const ts = new Date(Date.now() - dayMs).toISOString();
  const common = { session_id: "only", server: "github", ts };
  const call = {
    ...common,
    tool: "search_code",
    input_tokens: 40,
    arguments_sha256: "a".repeat(64),
  };
  const refused = { ...call, outcome: "refused", output_tokens: 30 } as const;
  const tools = [toolDefinition("search_code", 310), toolDefinition("unused", 90)];
  const sizes = { tools_total: 2, total_tokens: 400, resident_tokens: 400 };
  return [
    sessionRecord({ ...common, seq: 0, model: "claude-opus-5", client_name: "claude-code" }),
    definitionsRecord({ ...common, seq: 1, tools, ...sizes }),
    callRecord({ ...call, seq: 2, output_tokens: 900 }),
    callRecord({ ...call, seq: 3, output_tokens: 900 }),
    callRecord({ ...call, seq: 4, output_tokens: 60, outcome: "tool_error" }),
    callRecord({ ...refused, seq: 5, output_bytes: 0 }),
    callRecord({ ...refused, seq: 6, output_bytes: 9_000 }),
    endRecord({ ...common, seq: 7, duration_ms: 90_000 }),
  ];
}

type Figures = { readonly [label: string]: string | number };

const readFigures = (page: Page): Promise<Figures> =>
  page.evaluate(`
    Object.fromEntries([...document.querySelectorAll(".figure")].map(({ children: [label, value] }) => {
      const data = value.querySelector("data");
      return [label.textContent, data ? Number(data.value) : value.textContent];
    }))`);

const readCommand = (page: Page): Promise<string> => page.locator(".same-numbers code").innerText();

type ReadReport = UsageReport & { readonly blocks: readonly { readonly saved_tokens: number }[] };

async function readReport(command: string): Promise<ReadReport> {
  const [, ...words] = command.split(" ");
  return JSON.parse((await runMeter(home, [...words, "--json"])).stdout);
}

function findRow({ sum }: UsageReport, wanted: Partial<UsageRow>): UsageRow {
  const row = sum.tables[0]?.rows.find((candidate) => Bun.deepMatch(wanted, candidate));
  if (!row) throw new Error(`no row of ${JSON.stringify(wanted)}`);
  return row;
}

const listRefusals = (row: Measures): Figures => ({
  errors: row.errors,
  refused: row.refused,
  withheld: row.withheld,
  repeated: row.repeated_calls,
});

const listSums = (row: Measures): Figures => ({
  cost: row.cost_usd ? formatDollarRange(row.cost_usd) : "unknown",
  definitions: row.resident_tokens + row.loaded_tokens,
  "in calls": row.total_tokens,
  calls: row.calls,
  ...listRefusals(row),
});

type Story = {
  readonly session: string;
  readonly p95: number;
  readonly definition: number;
  readonly unused: Figures;
};

type Screen = {
  readonly address: (story: Story) => string;
  readonly expect: (report: ReadReport, story: Story) => Figures | Promise<Figures>;
};

const github = { server: "github" };

const screens: { readonly [name: string]: Screen } = {
  overview: {
    address: () => "?period=30d&cost=on",
    expect: ({ sum: { totals } }) => ({
      tokens: totals.context_tokens,
      ...listSums(totals),
      "largest call": totals.max_tokens,
    }),
  },
  tool: {
    address: () => "tool?period=30d&server=github&tool=search_code&cost=on",
    expect: (report, { p95, definition }) => {
      const row = findRow(report, { ...github, tool: "search_code" });
      const answered = row.calls - row.refused;
      return {
        tokens: row.context_tokens,
        cost: row.cost_usd ? formatDollarRange(row.cost_usd) : "unknown",
        share: formatSmallShare(row.share),
        average: Math.round((row.total_tokens - row.refused_tokens) / answered),
        p95,
        largest: row.max_tokens,
        ...listRefusals(row),
        definition,
      };
    },
  },
  session: {
    address: ({ session }) => `session?session=${session}&cost=on`,
    expect: (report, { session }) => {
      const row = findRow(report, { session_id: session });
      const duration = formatElapsed(row.duration_ms ?? 0);
      return { "in context": row.context_tokens, ...listSums(row), duration };
    },
  },
  definitions: {
    address: () => "definitions?period=30d&server=github",
    expect: (report, { unused }) => {
      const row = findRow(report, github);
      return {
        "tokens in all sessions": row.resident_tokens + row.loaded_tokens,
        "newest list": row.listed_tokens / row.definition_lists,
        "in context": row.resident_tokens / row.definition_lists,
        instructions: 0,
        ...unused,
      };
    },
  },
  advice: {
    address: () => "advice?period=30d",
    expect: ({ blocks: [block] }) => {
      const { saved_tokens: saved = 0 } = block ?? {};
      return saved === 0 ? {} : { "possible savings": saved };
    },
  },
  trend: {
    address: () => "trend?period=7d",
    expect: ({ sum: { trend } }) => {
      const [tokens = 0, earlier = 0] = [trend?.total.now.tokens, trend?.total.before.tokens];
      const change = earlier === 0 ? "new" : formatChange(tokens / earlier - 1);
      return { "tokens in calls": tokens, "tokens before": earlier, change };
    },
  },
};

describe("every figure is that of the command at the foot", () => {
  const fortnight = shiftToNow(madeFortnight());
  const stories: readonly (readonly [name: string, sessions: MeterRecord[][], story: Story])[] = [
    [
      "one session",
      [madeSession()],
      {
        session: "only",
        p95: 940,
        definition: 310,
        unused: { "not called": 1, "unused tokens": 90 },
      },
    ],
    [
      "a fortnight of four clients",
      fortnight,
      {
        session: fortnight.at(-15)?.[0]?.session_id ?? "",
        p95: 6_040,
        definition: 4_200,
        unused: { "not called": 0, "unused tokens": 0 },
      },
    ],
  ];
  test.if(canBrowse).each(stories)("%s", async (_name, sessions, story) => {
    writeSessions(home.env["XDG_STATE_HOME"] ?? "", sessions);
    await using dash = await Dash.start(home.env);
    await using tab = await openTab(browser, dash.url);
    const { page } = tab;
    for (const [name, screen] of Object.entries(screens)) {
      await visit(page, `#/${screen.address(story)}`);
      const wanted = await screen.expect(await readReport(await readCommand(page)), story);
      let shown: Figures = {};
      await until(`the figures of ${name}: ${JSON.stringify(wanted)}`, async () => {
        shown = await readFigures(page);
        return Bun.deepEquals(shown, wanted);
      }).catch(() => undefined);
      expect([name, shown]).toEqual([name, wanted]);
    }
  });
});

test.if(canBrowse)("dash --cost, of 0.1, opens the page with costs", async () => {
  writeSessions(home.env["XDG_STATE_HOME"] ?? "", [madeSession()]);
  await using dash = await Dash.start(home.env, "--cost");
  await using tab = await openTab(browser, dash.url);
  await tab.page.locator(".figure:has-text('list prices')").waitFor();
  expect(tab.page.url()).toEndWith("/#/?cost=on");
});

describe("the six questions, asked of the page", () => {
  test.if(canBrowse)("are answered with two clicks at most", async () => {
    const sessions = shiftToNow(madeFortnight());
    writeSessions(home.env["XDG_STATE_HOME"] ?? "", sessions);
    await using dash = await Dash.start(home.env);
    await using tab = await openTab(browser, dash.url);
    const { page } = tab;
    const ask = async (clicks: readonly string[], answer: string): Promise<string> => {
      expect(clicks.length).toBeLessThanOrEqual(2);
      await page.goto(dash.url);
      await waitUntilLive(page);
      for (const name of clicks) {
        await page.getByText(name, { exact: true }).first().click();
        await waitUntilLive(page);
      }
      return page.locator(answer).first().innerText();
    };
    const busiest = new Date(Date.parse(sessions.at(-46)?.[0]?.ts ?? "")).toISOString();
    expect(await ask([], "#servers tbody tr")).toStartWith("github");
    expect(await ask([], "#tools tbody tr")).toMatch(/search_code\s+github/);
    expect(await ask([], ".readout")).toContain(formatDay(busiest.slice(0, 10)));
    expect(await ask(["$ Cost"], ".figure:has-text('list prices')")).toMatch(/~\$\d/);
    expect(await ask(["Trend"], ".figure:has-text('change')")).toMatch(/↑ \d+%/);
    const advice = await ask(["Advice"], ".advice > li:has-text('weather')");
    expect(advice).toMatch(/started in \d+ sessions and never called/i);
    // No settings have the server.
    expect(advice).toContain("Turn it off in its client");
    expect(await readCommand(page)).toMatch(/^mcp-meter report --advice --since \d{4}-\d\d-\d\d /);
  });
});
