import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { renderMarkdown } from "#screens/renderers/markdown.ts";
import { escapeForTerminal, renderTerminal } from "#screens/renderers/terminal.ts";
import { hostileText, findUnsafeText } from "../../support/hostile.ts";

test.each([
  [["12 of ", { name: "search" }], "12 of search"],
  [{ name: "x".repeat(41) }, `${"x".repeat(39)}…`],
  [{ name: "x".repeat(61), columnsMax: 60 }, `${"x".repeat(59)}…`],
  ["x".repeat(500), "x".repeat(500)],
  ["a\u001b[31mb", "a\\u001b[31mb"],
  ["a\nb", "a\\u000ab"],
])("terminalText of %j is %s", (text, shown) => {
  expect(escapeForTerminal(text)).toBe(shown);
});

test.each([
  ["::error::x", "\\u003a:error::x"],
  ["  ::set-output name=x::y", "  \\u003a:set-output name=x::y"],
  [[":", { name: ":error::x" }], "\\u003a:error::x"],
  ["a ##[error]x", "a \\u0023#[error]x"],
  [["##", { name: "[error]" }], "\\u0023#[error]"],
])("terminalText of %j gives a CI runner no command", (text, shown) => {
  expect(escapeForTerminal(text)).toBe(shown);
});

test("terminalText holds nothing unsafe, whatever the text", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(findUnsafeText(escapeForTerminal([text, { name: text }]))).toEqual([]);
    }),
  );
});

test("commands of a note are lines that no width breaks", () => {
  const command = "mcp-meter wrap garden -- --budget 'plant=5k:truncate'";
  const notes = [
    { label: "a", text: "limit the answers of this tool:", commands: [command] },
    { label: "bc", text: "", commands: [command] },
  ];
  const document = { title: "t", sections: [{ kind: "notes", notes } as const] };
  expect(renderTerminal(document, { color: false, columns: 24 })).toBe(
    `t\n\na   limit the answers of\n    this tool:\n    ${command}\nbc  ${command}\n`,
  );
  expect(renderMarkdown(document)).toEndWith(
    `this tool:\n  - \`${command}\`\n- **bc**: \n  - \`${command}\`\n`,
  );
});

test("commands of a Markdown note can be copied as they are", () => {
  for (const [command, span] of [
    ["run --budget 'a|b'", "`run --budget 'a|b'`"],
    ["run `a` ``b", "``` run `a` ``b ```"],
  ] as const) {
    const notes = [{ label: "a", text: "do", commands: [command] }];
    const document = { title: "t", sections: [{ kind: "notes", notes } as const] };
    expect(renderMarkdown(document)).toEndWith(`: do\n  - ${span}\n`);
  }
});

test("a row of a diff keeps the space of its sign before a CI command", () => {
  const parts = [{ text: "::error::x", is_changed: false }];
  const lines = [{ sign: " ", parts } as const];
  const document = { title: "t", sections: [{ kind: "diff", title: "f", lines } as const] };
  expect(renderTerminal(document, { color: false })).toBe("t\n\nf\n  \\u003a:error::x\n");
});

test("a line that begins with a CI command only after wrapping gives no command", () => {
  const text = "the server says ::error::x";
  const grid = { kind: "grid", columns: [{ head: "finding", isWrapped: true }] } as const;
  const sections = [
    { kind: "line", text },
    { kind: "notes", notes: [{ label: "note", text: `${text} and more` }] },
    { ...grid, rows: [[text]] },
  ] as const;
  const printed = renderTerminal({ title: "t", sections }, { color: false, columns: 20 });
  expect(printed).not.toMatch(/^\s*::/m);
  expect(printed.match(/^\s*\\u003a:error::x/gm)).toHaveLength(3);
});
