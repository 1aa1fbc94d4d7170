import { expect, test } from "bun:test";
import { fillPlaceholders, type PlaceholderForm } from "#clients/launch-rules.ts";

const values = { env: { A: "1", B: "" }, home: "/h", project: undefined };

const rows: readonly (readonly [PlaceholderForm, string, string])[] = [
  ["none", "${A} $A {env:A} ${{ secrets.A }}", "${A} $A {env:A} ${{ secrets.A }}"],
  ["braces", "${A}-$A-${A:-x}", "1-$A-1"],
  ["braces", "${C}-${C:-x}-${C:-}", "${C}-x-"],
  ["braces", "${B:-x}", ""],
  ["braces", "${env:A} ${1} ${", "${env:A} ${1} ${"],
  ["shell", "${A}-$A-$C-${C:-x}", "1-1-$C-x"],
  ["shell", "$1 $ $$A", "$1 $ $1"],
  ["editor", "${env:A}-${env:C}-${A:x", "1--${A:x"],
  ["editor", "${userHome}${/}x${pathSeparator}y", "/h/x/y"],
  ["curly", "{env:A}-{env:C}-{A}-${A}", "1--{A}-${A}"],
  ["secrets", "${A} $A", "${A} $A"],
];

test.each(rows)(
  "a client that writes them in the form %s passes %s on as %s",
  (form, text, filled) => {
    expect(fillPlaceholders(text, form, values)).toEqual({ text: filled });
  },
);

const unfilled: readonly (readonly [PlaceholderForm, string, string])[] = [
  ["editor", "--key=${input:secret-name}", "${input:…}"],
  ["editor", "${workspaceFolder}/x", "${workspaceFolder}"],
  ["editor", "${workspaceFolder:root}", "${workspaceFolder:…}"],
  ["editor", "${command:a}${input:b}", "${command:…}"],
  ["editor", "${A}", "${A}"],
  ["curly", "{file:~/.secret}", "{file:…}"],
  ["secrets", "x ${{ secrets.KEY }}", "${{…}}"],
];

test.each(unfilled)("only a client of the form %s can fill %s", (form, text, placeholder) => {
  expect(fillPlaceholders(text, form, values)).toEqual({ unfilled: placeholder });
});

test("the folder of a project fills the workspace's", () => {
  const inProject = { ...values, project: "/p" };
  expect(fillPlaceholders("${workspaceFolder}/x", "editor", inProject)).toEqual({ text: "/p/x" });
});

test("a value is not filled again", () => {
  const nested = { ...values, env: { A: "${B}", B: "secret" } };
  expect(fillPlaceholders("${A}", "braces", nested)).toEqual({ text: "${B}" });
});
