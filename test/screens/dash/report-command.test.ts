import { expect, test } from "bun:test";
import { formatReportCommand } from "#screens/dash/view.ts";
import { viewChoice } from "../../support/dash-model.ts";

const formatCommand = (overrides: Parameters<typeof viewChoice>[0]) =>
  formatReportCommand({
    choice: viewChoice(overrides),
    since: "2026-11-01",
    timezone: "Europe/Berlin",
  });

test("names the axis of the screen, the period and the names", () => {
  expect(formatCommand({})).toBe(
    "mcp-meter report --by tool --since 2026-11-01 --timezone Europe/Berlin",
  );
  expect(formatCommand({ screen: "tool", server: "github", tool: "search", client: "codex" })).toBe(
    "mcp-meter report --by tool --since 2026-11-01 --server github --client codex --timezone Europe/Berlin",
  );
  expect(formatCommand({ screen: "budgets", server: "x" })).toBe("mcp-meter budgets");
  expect(formatCommand({ screen: "advice", server: "x" })).toBe(
    "mcp-meter report --advice --since 2026-11-01 --server x --timezone Europe/Berlin",
  );
});

test("asks for costs where the screen shows them", () => {
  expect(formatCommand({ cost: "on" })).toEndWith(" --cost");
  expect(formatCommand({ cost: "on", screen: "trend" })).not.toContain("--cost");
});

test("a hostile name is one word of a shell", () => {
  const name = "a'; rm -rf /; echo '";
  const print = formatCommand({ server: name }).replace("mcp-meter", "printf '%s\\n'");
  const { stdout } = Bun.spawnSync(["sh", "-c", print]);
  expect(stdout.toString().split("\n")).toContain(name);
});

test("a name that begins with a hyphen is no option", () => {
  expect(formatCommand({ server: "--json", client: "-x" })).toContain(
    "--server=--json --client=-x ",
  );
});

test("a period may end before today", () => {
  const choice = viewChoice({ screen: "session" });
  const words = { choice, since: "2026-11-01", until: "2026-11-02", timezone: "UTC" };
  expect(formatReportCommand(words)).toBe(
    "mcp-meter report --by session --since 2026-11-01 --until 2026-11-02 --timezone UTC",
  );
});
