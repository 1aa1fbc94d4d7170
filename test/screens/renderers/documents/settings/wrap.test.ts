import { expect, test } from "bun:test";
import { type WrapReport, buildWrapDocument } from "#screens/renderers/documents/settings/wrap.ts";
import { renderTerminal } from "#screens/renderers/terminal.ts";
import { listedRowsMax } from "#screens/renderers/documents/shared-texts.ts";

const server = {
  client: "cursor",
  server: "a",
  file: "/a",
  project: null,
  is_remote: false,
  adds_options: false,
  reason: null,
  since: null,
  options: null,
};

const makeReport = (more: Partial<WrapReport> = {}): WrapReport => ({
  schema_version: "1.0",
  action: "wrap",
  is_dry_run: true,
  servers: [{ ...server, state: "changed" }],
  changed: 1,
  refused: 0,
  ...more,
});

const extended = { ...server, state: "changed", adds_options: true } as const;

const printText = (one: WrapReport) =>
  renderTerminal(buildWrapDocument(one, [], { notes: [] }), { color: false });

test.each([
  [makeReport(), "Would wrap 1 server", "would be wrapped"],
  [makeReport({ is_dry_run: false }), "Wrapped 1 server", "wrapped"],
  [makeReport({ action: "unwrap" }), "Would unwrap 1 server", "would be unwrapped"],
  [makeReport({ action: "unwrap", is_dry_run: false }), "Unwrapped 1 server", "unwrapped"],
  [
    makeReport({ servers: [extended] }),
    "Would change the options of 1 server",
    "options would change",
  ],
  [
    makeReport({ is_dry_run: false, servers: [extended] }),
    "Changed the options of 1 server",
    "options changed",
  ],
  [
    makeReport({ changed: 2, servers: [{ ...server, state: "changed" }, extended] }),
    "Would wrap 1 server and change the options of 1 more",
    "would be wrapped",
  ],
  [
    makeReport({ changed: 0, servers: [{ ...server, state: "remote" }] }),
    "Nothing to change",
    "remote",
  ],
  [
    makeReport({ servers: [{ ...server, state: "refused", reason: "it is a test" }] }),
    "Would wrap",
    "refused: it is a test",
  ],
  [
    makeReport({
      action: "list",
      servers: [{ ...server, state: "behind", since: "2026-11-22T10:00:00Z" }],
    }),
    "1 server, 1 behind mcp-meter",
    "since 2026-11-22",
  ],
  [
    makeReport({
      action: "list",
      servers: [{ ...server, state: "behind", options: ["--budget", "a b=5k"] }],
    }),
    "1 server, 1 behind mcp-meter",
    "behind mcp-meter, with --budget 'a b=5k'",
  ],
])("%#: the title and the state", (one, title, state) => {
  expect(printText(one)).toStartWith(title);
  expect(printText(one)).toContain(state);
});

test("changed lines come before the servers", () => {
  const changes = [
    {
      file: "/a",
      lines: [
        { before: "x", after: "y" },
        { before: "1", after: "2" },
      ],
    },
  ];
  const shown = renderTerminal(buildWrapDocument(makeReport(), changes, { notes: [] }), {
    color: false,
  });
  expect(shown).toMatch(/\/a\n- x\n\+ y\n…\n- 1\n\+ 2\n[^]*client/);
});

test("a folder in the home folder begins with ~, and line ends of Windows are not shown", () => {
  const file = "/home/me/.cursor/mcp.json";
  const lines = [{ before: "x\r\ny\r", after: "x\r\nz\r" }];
  const report = makeReport({ servers: [{ ...server, file, state: "changed" }] });
  const document = buildWrapDocument(report, [{ file, lines }], { notes: [], home: "/home/me" });
  const shown = renderTerminal(document, { color: false });
  expect(shown).toContain("~/.cursor/mcp.json\n  x\n- y\n+ z\n");
  expect(shown).not.toContain("/home/me");
});

const many = (count: number) =>
  printText(
    makeReport({
      servers: Array.from({ length: count }, () => ({ ...server, state: "direct" as const })),
    }),
  );

test("servers beyond a limit are counted", () => {
  expect(many(listedRowsMax)).not.toContain("1 more server");
  expect(many(listedRowsMax + 1)).toContain("1 more server");
});

test("changed lines are shown whole", () => {
  const args = Array.from({ length: 40 }, (_, at) => `"/srv/notes/folder-${at}"`).join(", ");
  const lines = [{ before: `["npx", ${args}]`, after: `["mcp-meter", "--", "npx", ${args}]` }];
  const document = buildWrapDocument(makeReport(), [{ file: "/a", lines }], { notes: [] });
  expect(renderTerminal(document, { color: false })).toContain(`+ ${lines[0]?.after}\n`);
  const narrow = renderTerminal(document, { color: false, columns: 80 });
  expect(narrow).not.toContain("…");
  expect(Math.max(...narrow.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("a server of one project says which", () => {
  const servers = [{ ...server, state: "direct", project: "/home/me/shop" } as const];
  expect(printText(makeReport({ action: "list", servers }))).toContain("/a, project /home/me/shop");
});
