// There is no PowerShell here: these tests read the script, and no PowerShell runs it.
import { expect, test } from "bun:test";
import { powershellScript } from "#commands/completion/powershell.ts";

const script = powershellScript([
  {
    name: "count",
    summary: "Count it's tokens",
    words: ["a", "b c"],
    takesFiles: false,
    optionsBehind: "run",
    options: [
      {
        name: "output",
        short: "o",
        description: "write 'here'",
        isRepeatable: false,
        value: { placeholder: "FILE", words: ["-"], paths: "files", names: undefined },
      },
      {
        name: "server",
        short: undefined,
        description: "of $this",
        isRepeatable: true,
        value: { placeholder: "NAME", words: [], paths: undefined, names: "server" },
      },
      {
        name: "wide",
        short: undefined,
        description: "wide",
        isRepeatable: false,
        value: undefined,
      },
    ],
  },
]);

test("powershellScript has each command and option as a row of quoted words", () => {
  expect(script).toContain(
    [
      "        'count' = @{",
      "            Summary = 'Count it''s tokens'",
      "            Words = @('a', 'b c')",
      "            Options = @(",
      "                @{ Names = @('--output', '-o'); Text = 'write ''here'''; Values = @('-'); Kind = '' }",
      "                @{ Names = @('--server'); Text = 'of $this'; Values = @(); Kind = 'server' }",
      "                @{ Names = @('--wide'); Text = 'wide' }",
      "            )",
      "        }",
    ].join("\n"),
  );
});

test("powershellScript names the command whose options follow -- of another one", () => {
  expect(script).toContain("    $behind = @{\n        'count' = 'run'\n    }\n");
});

test("powershellScript closes every bracket and quote", () => {
  const code = script.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|#.*$/gm, "");
  for (const [open, close] of ["()", "{}", "[]"].map((pair) => [...pair])) {
    const count = (bracket: string | undefined): number => code.split(bracket ?? "").length;
    expect([open, count(open)]).toEqual([open, count(close)]);
  }
  expect(code).not.toMatch(/['"]/);
});
