import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { formatLock } from "#lock/lock.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import {
  Dash,
  waitUntilLive,
  openTab,
  rowsOf,
  startBrowser,
  until,
  findViolations,
  visit,
} from "../support/dash-browser.ts";
import { recentUsage, writeSessions } from "../support/dash-home.ts";
import { freePort } from "../support/free-port.ts";
import {
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../support/made-records.ts";
import { lockedDefinition, lockWith } from "../support/locks.ts";
import { allowed, judgedByTime } from "../support/measure.ts";
import { has } from "../support/needs.ts";
import { eachHome } from "./each-home.ts";

const canBrowse = has("chromium", "the page of dash");

let browser: Browser;
const home = eachHome();

beforeAll(async () => {
  if (canBrowse) browser = await startBrowser();
});

afterAll(async () => {
  if (canBrowse) await browser.close();
});

const stateHome = (): string => home.env["XDG_STATE_HOME"] ?? "";

const screens = ["", "trend", "advice", "definitions", "budgets"] as const;

const now = (): string => new Date().toISOString();
const ts = (secondsAgo: number): string => new Date(Date.now() - secondsAgo * 1_000).toISOString();

const plain = (text: string | undefined): number => Number((text ?? "").replace(/[~,]/g, ""));

describe("the page", () => {
  test.if(canBrowse)(
    "each screen by its address and by clicks, without a fault (slow)",
    async () => {
      writeSessions(stateHome(), recentUsage());
      await using dash = await Dash.start(home.env);
      await using tab = await openTab(browser, dash.url);
      const { page, faults } = tab;
      expect(page.url()).toBe(`http://127.0.0.1:${dash.port}/`);
      for (const screen of screens) {
        await visit(page, `#/${screen}?period=30d`);
        await page.reload();
        await waitUntilLive(page);
        expect(await page.locator("nav [aria-current=page]").count()).toBe(1);
      }
      await visit(page, "#/?period=30d");
      await page.locator("#tools a").first().click();
      await page.locator("#calls tbody tr").first().waitFor();
      expect(page.url()).toContain("#/tool?");
      await page.locator("#calls a").first().click();
      await page.locator("#timeline-title").waitFor();
      expect(page.url()).toContain("#/session?");
      await page.goBack();
      await page.goBack();
      await page.locator("#servers a").first().click();
      await page.locator("#definitions tbody tr").first().waitFor();
      for (const name of ["Overview", "Trend", "Advice", "Definitions", "Budgets"]) {
        await page.locator("nav").getByText(name, { exact: true }).click();
        await waitUntilLive(page);
      }
      expect(faults).toEqual([]);
    },
  );

  test.if(canBrowse)(
    "a new call is there within a second, and after a restart for the new address (slow)",
    async () => {
      const [file = ""] = writeSessions(stateHome(), recentUsage().slice(-1));
      const common = { session_id: "live", server: "live-server" };
      const call = (seq: number, tool: string): void =>
        appendFileSync(file, formatRecordLine(callRecord({ ...common, seq, ts: now(), tool })));
      appendFileSync(
        file,
        formatRecordLine(
          sessionRecord({
            ...common,
            seq: 0,
            ts: now(),
            estimator: "o200k",
            estimation_encoding: "o200k_base",
          }),
        ),
      );
      const first = await Dash.start(home.env, "--port", String(freePort()));
      await using tab = await openTab(browser, `${first.url}#/?period=today&estimator=o200k`);
      const { page } = tab;
      await visit(page, "#/?period=today&estimator=o200k");
      const startedMs = performance.now();
      call(1, "before_restart");
      await page.locator("#tools").getByText("before_restart").waitFor();
      expect(performance.now() - startedMs).toBeLessThan(allowed(1_000));
      const { port } = first;
      await first[Symbol.asyncDispose]();
      await page.locator('[data-connection="reconnecting"], [data-connection="lost"]').waitFor();
      call(2, "meanwhile");
      await using second = await Dash.start(home.env, "--port", port);
      expect(second.port).toBe(port);
      await page.locator('[data-connection="lost"]').waitFor();
      await page.getByText("Open the address that this command prints").waitFor();
      await (await page.context().newPage()).goto(second.url);
      await page.locator("#tools").getByText("meanwhile").waitFor();
      await waitUntilLive(page);
      call(3, "after_restart");
      await page.locator("#tools").getByText("after_restart").waitFor();
    },
    judgedByTime,
  );

  test.if(canBrowse)("hostile names are text (slow)", async () => {
    const names = [
      "<img src=x onerror=alert(1)>",
      "'\"><script>alert(2)</script>",
      "javascript:alert(3)",
      "__proto__",
      "a\u202Eevil\u0007\u001b[31m",
      "x".repeat(256),
    ];
    const records = names.flatMap((name, at) => {
      const common = { session_id: name, server: name, ts: now() };
      const tools = [toolDefinition(name, 40 + at)];
      const list = { tools, tools_total: 1, total_tokens: 40, resident_tokens: 40 };
      return [
        sessionRecord({ ...common, seq: 0, client_name: name, model: name }),
        definitionsRecord({ ...common, seq: 1, ...list }),
        callRecord({ ...common, seq: 2, tool: name }),
      ];
    });
    writeSessions(stateHome(), [records]);
    await using dash = await Dash.start(home.env);
    await using tab = await openTab(browser, dash.url);
    const { page, faults } = tab;
    expect((await rowsOf(page, "tools")).length).toBeGreaterThanOrEqual(names.length);
    for (const name of names) {
      const query = new URLSearchParams({ server: name, tool: name, session: name });
      for (const screen of ["tool", "session", "definitions"]) {
        await visit(page, `#/${screen}?${query.toString()}`);
        expect(await page.locator("img, script:not([src])").count()).toBe(0);
      }
    }
    expect(faults).toEqual([]);
  });

  test.if(canBrowse)("a machine without records says how to get some (slow)", async () => {
    await using dash = await Dash.start(home.env);
    await using tab = await openTab(browser, dash.url);
    for (const screen of [...screens, "tool?server=a&tool=b", "session?session=x"]) {
      await visit(tab.page, `#/${screen}`);
      await tab.page.locator("main .empty code").first().waitFor();
      expect(await tab.page.locator("main").innerText()).toContain("mcp-meter");
    }
    expect(tab.faults).toEqual([]);
  });
});

describe("a lock", () => {
  test.if(canBrowse)(
    "its differences and its worst cases, until the tools are locked (slow)",
    async () => {
      const read = lockedDefinition({
        name: "read",
        _meta: { "anthropic/maxResultSizeChars": 35_000 },
      });
      const common = { session_id: "one", server: "files", ts: now() };
      const tools = [
        { ...toolDefinition("read", 50), sha256: read.sha256 },
        { ...toolDefinition("<b>new</b>", 30), sha256: "b".repeat(64) },
      ];
      writeSessions(stateHome(), [
        [
          sessionRecord({ ...common, seq: 0, estimator: "o200k" }),
          definitionsRecord({ ...common, seq: 1, tools, tools_total: 2, total_tokens: 80 }),
          callRecord({ ...common, seq: 2, tool: "read" }),
        ],
      ]);
      const file = join(home.path, "mcp-meter.lock");
      const gone = lockedDefinition({ name: "gone" });
      writeFileSync(file, formatLock(lockWith([read, gone])));
      await using dash = await Dash.start(home.env, "--lock", `files=${file}`);
      await using tab = await openTab(browser, `${dash.url}#/definitions`);
      const { page, faults } = tab;
      await visit(page, "#/definitions?server=files");
      await until("the differences", async () => (await rowsOf(page, "lock")).length === 2);
      expect(await rowsOf(page, "lock")).toEqual([
        { name: "<b>new</b>", change: "added", before: "–", after: "~30", difference: "+30" },
        { name: "gone", change: "removed", before: "~50", after: "–", difference: "−50" },
      ]);
      expect(await findViolations(page)).toEqual([]);
      const added = lockedDefinition({ name: "<b>new</b>" });
      writeFileSync(file, formatLock(lockWith([read, added])));
      await page.locator("#lock").getByText("changed").waitFor();
      await visit(page, "#/tool?server=files&tool=read");
      const worst = page.locator(".figures, dl").getByText("limited by its schema");
      await worst.waitFor();
      expect(await page.locator("main").innerText()).toContain("~10k");
      expect(await findViolations(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
  );
});

describe("the page for everybody", () => {
  for (const scheme of ["light", "dark"] as const) {
    for (const width of [1280, 390]) {
      test.if(canBrowse)(
        `${scheme}, ${width} px: no barrier, and no scrolling sideways (slow)`,
        async () => {
          writeSessions(stateHome(), recentUsage());
          await using dash = await Dash.start(home.env);
          await using tab = await openTab(browser, dash.url, { width, scheme });
          const { page, faults } = tab;
          const tool = "tool?period=30d&server=github&tool=search_code";
          const session = `session?session=${recentUsage().at(-1)?.[0]?.session_id}`;
          for (const screen of [
            "?period=30d",
            "definitions?period=30d",
            "trend?period=30d",
            "advice?period=30d",
            "budgets",
            tool,
            session,
          ]) {
            await visit(page, `#/${screen}`);
            expect([screen, await findViolations(page)]).toEqual([screen, []]);
            const wide: number = await page.evaluate(
              "document.documentElement.scrollWidth - innerWidth",
            );
            expect([screen, wide]).toEqual([screen, 0]);
          }
          await visit(page, "#/?period=30d");
          for (const table of ["tools", "servers", "clients", "sessions"]) {
            const tokens = await page.locator(`#${table} thead [data-column=tokens]`).boundingBox();
            const end = (tokens?.x ?? width) + (tokens?.width ?? 0);
            expect([table, end < width]).toEqual([table, true]);
          }
          expect(faults).toEqual([]);
        },
      );
    }
  }

  test.if(canBrowse)("everything is reached by keys (slow)", async () => {
    writeSessions(stateHome(), recentUsage());
    await using dash = await Dash.start(home.env);
    await using tab = await openTab(browser, dash.url);
    const { page } = tab;
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.textContent.trim().slice(0, 40)");
    await page.keyboard.press("Tab");
    expect(await focused()).toContain("Skip");
    const press = async (wanted: string): Promise<void> => {
      for (let tries = 0; tries < 120; tries += 1) {
        if ((await focused()) === wanted) return page.keyboard.press("Enter");
        await page.keyboard.press("Tab");
      }
      throw new Error(`${wanted} is not reached`);
    };
    await press("calls");
    const sorted = (order: string) =>
      page.locator(`#tools th[data-column=calls][aria-sort=${order}]`).waitFor();
    await sorted("descending");
    await page.keyboard.press("Enter");
    await sorted("ascending");
    await page.reload();
    await waitUntilLive(page);
    await press("Definitions");
    await page.locator("#definitions tbody tr").first().waitFor();
  });

  test.if(canBrowse)("40 sessions of 500 calls stay quick while one grows (slow)", async () => {
    const sessions = Array.from({ length: 40 }, (_, at) => {
      const common = { session_id: `s${at}`, server: `server-${at % 6}` };
      const calls = Array.from({ length: 500 }, (__, seq) =>
        callRecord({
          ...common,
          seq: seq + 1,
          ts: ts(40_000 - at * 500 - seq),
          tool: `tool_${seq % 40}`,
        }),
      );
      return [sessionRecord({ ...common, seq: 0, ts: ts(60_000) }), ...calls];
    });
    const files = writeSessions(stateHome(), sessions);
    await using dash = await Dash.start(home.env);
    await using tab = await openTab(browser, dash.url);
    const { page, faults } = tab;
    await until("all calls", async () => {
      const rows = await rowsOf(page, "servers");
      return rows.reduce((sum, { calls }) => sum + plain(calls), 0) === 20_000;
    });
    const common = { session_id: "s0", server: "server-0", tool: "fresh" };
    for (let seq = 501; seq < 521; seq += 1) {
      appendFileSync(files[0] ?? "", formatRecordLine(callRecord({ ...common, seq, ts: ts(0) })));
    }
    await visit(page, "#/tool?server=server-0&tool=fresh&period=30d");
    await until("twenty rows", async () => (await rowsOf(page, "calls")).length === 20);
    expect(faults).toEqual([]);
  });
});

test.if(canBrowse)("the picture of the README (slow)", async () => {
  const picture = process.env["PICTURE"];
  // Debian's Chromium comes without fonts for all scripts.
  const named = recentUsage().map((records) =>
    records.map((record) => ({
      ...record,
      server: record.server.replace("ブラウザ", "browser"),
      // Most refused calls do not run.
      ...(record.type === "call" && record.seq % 4 > 0 ? { output_bytes: 0 } : {}),
    })),
  );
  writeSessions(stateHome(), named);
  await using dash = await Dash.start(home.env);
  await using tab = await openTab(browser, dash.url);
  await visit(tab.page, "#/?period=30d");
  const bytes = await tab.page.screenshot();
  expect(bytes.length).toBeGreaterThan(20_000);
  if (picture === undefined) return;
  mkdirSync(dirname(picture), { recursive: true });
  writeFileSync(picture, bytes);
});
