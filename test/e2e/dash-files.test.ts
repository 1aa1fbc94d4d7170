import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, truncateSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { Dash, until } from "../support/dash-browser.ts";
import { recentUsage, writeSessions } from "../support/dash-home.ts";
import { has } from "../support/needs.ts";
import { eachHome } from "./each-home.ts";
import { runMeter } from "./run.ts";

const home = eachHome();
/** A stream that is not referred to would be closed. */
const streams: Response[] = [];
afterEach(() => {
  streams.length = 0;
});

const stateHome = (): string => home.env["XDG_STATE_HOME"] ?? "";

type Overview = {
  readonly head: {
    readonly command: string;
    readonly notes: readonly string[];
    readonly totals: { readonly calls: number } | null;
    readonly estimation: { readonly estimator: string } | null;
  };
};

async function reader(dash: Dash): Promise<(address: string) => Promise<Overview>> {
  const entry = await fetch(dash.url);
  const cookie = entry.headers.get("set-cookie")?.replace(/;.*/, "") ?? "";
  const { origin } = new URL(dash.url);
  streams.push(await fetch(`${origin}/events`, { headers: { cookie } }));
  return async (address) => {
    const answer = await fetch(`${origin}/api/view?${address}`, { headers: { cookie } });
    return JSON.parse(await answer.text());
  };
}

async function printed({ head }: Overview): Promise<number> {
  const [, ...words] = head.command.split(" ");
  const report = JSON.parse((await runMeter(home, [...words, "--json"])).stdout);
  return report.sum.totals.calls;
}

describe("files that change while the page is open", () => {
  test("logs that are imported are shown", async () => {
    await using dash = await Dash.start(home.env, "--since", "2020-01-01");
    const view = await reader(dash);
    expect((await view("period=all")).head.totals).toBeNull();
    const logs = join(import.meta.dir, "../fixtures/logs/claude-code");
    const imported = await runMeter(home, ["import", "claude-code", "--from", logs]);
    expect(imported.status).toBe(0);
    await until("imported calls", async () => (await view("period=all")).head.totals !== null);
    const shown = await view("period=all");
    expect(shown.head.totals?.calls).toBe(await printed(shown));
  });

  test("records that were removed or cut are in no number (slow)", async () => {
    const files = writeSessions(stateHome(), recentUsage());
    await using dash = await Dash.start(home.env);
    const view = await reader(dash);
    const calls = async (): Promise<number> => (await view("period=30d")).head.totals?.calls ?? 0;
    await until("all records", async () => (await view("period=30d")).head.notes.length === 0);
    const before = await calls();
    for (const file of files.slice(-40, -20)) unlinkSync(file);
    await until("fewer calls", async () => (await calls()) < before);
    for (const file of files.slice(-20)) truncateSync(file, 0);
    const left = await printed(await view("period=30d"));
    expect(left).toBeGreaterThan(0);
    await until("the calls that are left", async () => (await calls()) === left);
  });
});

const isRoot = process.getuid?.() === 0;
const canSwitch = isRoot && has("setpriv", "other users of the page");

const asNobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

async function asOther(
  ...command: readonly string[]
): Promise<{ readonly text: string; readonly status: number }> {
  const child = Bun.spawn([...asNobody, ...command], { stdout: "pipe", stderr: "pipe" });
  const text = (await child.stdout.text()) + (await child.stderr.text());
  return { text, status: await child.exited };
}

describe("another user of this machine", () => {
  test.if(canSwitch)("opens no page, and finds the key in no file and no process", async () => {
    writeSessions(stateHome(), recentUsage().slice(-3));
    // The folders above the private one are open to all, as a home may be.
    for (const path of [home.path, stateHome()]) chmodSync(path, 0o755);
    const opened = join(home.path, "opened");
    const opener = join(home.path, "xdg-open");
    await Bun.write(opener, `#!/bin/sh\necho "$1" > ${opened}.new; mv ${opened}.new ${opened}\n`);
    chmodSync(opener, 0o755);
    const env = { ...home.env, PATH: `${home.path}:${process.env["PATH"]}` };
    await using dash = await Dash.start(env, "--open");
    await until("the browser", () => Bun.file(opened).exists());
    const privatePath = readFileSync(opened, "utf8").trim();
    const { origin, searchParams } = new URL(dash.url);
    const token = searchParams.get("token") ?? "";
    expect(readFileSync(privatePath, "utf8")).toContain(token);
    expect((await asOther("true")).status).toBe(0);
    for (const path of [privatePath, `/proc/${dash.pid}/environ`]) {
      const { text, status } = await asOther("cat", path);
      expect([path, status === 0, text.includes(token)]).toEqual([path, false, false]);
    }
    const listed = await asOther("cat", `/proc/${dash.pid}/cmdline`);
    expect(listed.text).toContain("dash");
    expect(listed.text).not.toContain(token);
    const program = `
      const answers = await Promise.all(["/", "/events", "/api/view", "/?token="].map(
        async (path) => (await fetch("${origin}" + path)).status));
      console.log(answers.join(" "));`;
    const asked = await asOther(process.execPath, "-e", program);
    expect(asked.text.trim()).toBe("401 401 401 401");
  });
});
