import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import packageJson from "../../package.json" with { type: "json" };
import { generated, refreshSections } from "../../scripts/readme.ts";
import { actions } from "#meter/actions/index.ts";
import { commands } from "#commands/index.ts";
import { reportCommand } from "#commands/report/index.ts";
import { parseReportOptions } from "#commands/report/options.ts";
import { readWords } from "#commands/parse-command-line.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { describeRefusal } from "#meter/actions/refusal.ts";
import { validate } from "../../dist/validators/config.js";
import { validateValue } from "#kit/text/schema-mismatch.ts";
import { importsOf, packageOf } from "../house/imports.ts";
import { readHouse, root } from "../house/tree.ts";
import {
  brokenLink,
  codeBlocks,
  documents,
  links,
  readDocument,
  section,
  tableRows,
  withoutLayout,
} from "./documents.ts";

const readme = readDocument("README.md");

describe("every document", () => {
  test("has no broken link", () => {
    const broken = documents().flatMap((path) =>
      links(readDocument(path)).map((target) => brokenLink(path, target)),
    );
    expect(broken.filter((reason) => reason !== undefined)).toEqual([]);
  });

  test("names files that exist", () => {
    const gone = documents().flatMap((path) =>
      [...readDocument(path).matchAll(/`((?:src|test|scripts|docs)\/[\w./-]+)`/g)]
        .map(([, file]) => file ?? "")
        .filter((file) => !existsSync(join(root, file)))
        .map((file) => `${path}: ${file}`),
    );
    expect(gone).toEqual([]);
  });

  test("names npm scripts that exist", () => {
    const known = Object.keys(packageJson.scripts);
    const named = documents().flatMap((path) =>
      [...readDocument(path).matchAll(/\b(?:npm|bun) run ([a-z][a-z:]*)/g)].map(
        ([, name]) => name ?? "",
      ),
    );
    expect([...new Set(named)].filter((name) => !known.includes(name))).toEqual([]);
  });

  for (const document of Object.keys(generated)) {
    test(`${document} matches the code; else: bun scripts/readme.ts`, () => {
      const text = readDocument(document);
      expect(withoutLayout(text)).toBe(withoutLayout(refreshSections(document, text)));
    });
  }
});

describe("README", () => {
  test("shows both commands on its first screen", () => {
    const screen = readme.split("\n").slice(0, 45).join("\n");
    for (const command of ["npm run demo", "npm test", "bun run demo", "bun run test"]) {
      expect(screen).toContain(command);
    }
  });

  test("stays under 200 lines", () => {
    expect(readme.split("\n").length).toBeLessThan(200);
  });

  test("quotes a refusal as the model reads it", () => {
    const refusal = describeRefusal({
      reason: "answer_over_budget",
      name: "search",
      budget: parseBudget("search=2000", actions),
      spent: 0,
      held: 0,
      tokens: 3_120,
      precision: "exactly",
      refillMs: Infinity,
    });
    for (const path of ["README.md", "docs/budgets.md"]) {
      expect(readDocument(path)).toContain(refusal);
    }
  });
});

describe("guides", () => {
  const guides = ["README.md", "docs/config.md", "docs/budgets.md", "docs/counting.md"];
  guides.push("docs/clients.md", "docs/privacy.md", "docs/exit-codes.md", "docs/cli.md");

  test("have JSON that can be read, and configs that are valid", () => {
    const texts = guides.map(readDocument);
    const configs = texts.flatMap((text) => codeBlocks(text, "jsonc"));
    for (const code of [...texts.flatMap((text) => codeBlocks(text, "json")), ...configs]) {
      const errors: Parameters<typeof parse>[1] = [];
      parse(code, errors, { allowTrailingComma: true });
      expect({ code, errors }).toEqual({ code, errors: [] });
    }
    expect(configs.length).toBeGreaterThan(1);
    for (const config of configs) {
      expect(validateValue(parse(config), validate)).toHaveProperty("value");
    }
  });

  test("name only options that some command has", () => {
    const known = new Set(Object.values(commands).flatMap(({ options }) => Object.keys(options)));
    const foreign = new Set(["help", "version", "name"]);
    const unknown = guides.flatMap((path) =>
      [...readDocument(path).matchAll(/`(?:mcp-meter )?--([a-z][a-z-]+)/g)]
        .map(([, name]) => name ?? "")
        .filter((name) => !known.has(name) && !foreign.has(name))
        .map((name) => `${path}: --${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

test("every example of a budget is valid", () => {
  for (const text of [readme, readDocument("docs/budgets.md")]) {
    const rows = tableRows(text.slice(text.search(/^\| budget /m)));
    const specs = rows.map(([spec = ""]) => spec.replaceAll("`", ""));
    expect(specs.length).toBeGreaterThanOrEqual(3);
    for (const spec of specs) expect(parseBudget(spec, actions).spec).toBe(spec);
  }
});

describe("ARCHITECTURE", () => {
  const text = readDocument("docs/ARCHITECTURE.md");

  test("lists exactly the wings of the house", () => {
    const listed = tableRows(section(text, "## Wings")).map(([wing = ""]) => wing);
    const entries = readdirSync(join(root, "src"), { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `\`${entry.name}/\`` : `\`${entry.name}\``,
    );
    expect(listed.toSorted()).toEqual(entries.toSorted());
  });

  test("names a test for every invariant", () => {
    const rows = tableRows(readDocument("docs/invariants.md"));
    expect(rows.map(([number]) => number)).toEqual(rows.map((_, at) => String(at + 1)));
    expect(rows.filter((cells) => !(cells.at(-1) ?? "").includes("../test/"))).toEqual([]);
  });
});

describe("decisions", () => {
  const folder = "docs/adr";

  test("list each dependency with its version and its owner", () => {
    const house = Object.entries(readHouse()).filter(([path]) => path.startsWith("src/"));
    const ownerOf = (name: string): string | undefined =>
      house.find(([, text]) =>
        importsOf(text).some(({ specifier }) => packageOf(specifier) === name),
      )?.[0];
    const text = readDocument(join(folder, "0007-dependencies.md"));
    const rows = tableRows(text);
    const wanted = Object.entries(packageJson.dependencies).map(([name, version]) => [
      `\`${name}\``,
      version,
      `\`${ownerOf(name) ?? ""}\``,
    ]);
    expect(rows.map((cells) => cells.slice(0, 3))).toEqual(wanted);
    // SDKs and servers are in ADR 0006; packages of types belong to their packages.
    const others = Object.keys(packageJson.devDependencies).filter(
      (name) => !/^@(?:types|modelcontextprotocol)\//.test(name),
    );
    expect(others.filter((name) => !text.includes(name))).toEqual([]);
  });

  const files = readdirSync(join(root, folder)).filter((file) => file !== "README.md");
  test("are numbered without a gap, also in their titles", () => {
    const numbers = files.map((file) => file.slice(0, 4)).toSorted();
    expect(numbers).toEqual(files.map((_, at) => String(at + 1).padStart(4, "0")));
    for (const file of files) {
      expect(readDocument(join(folder, file))).toStartWith(`# ${file.slice(0, 4)} · `);
    }
  });

  for (const file of files) {
    test(`${file} is one page with a status, context, decision, evidence and consequences`, () => {
      const text = readDocument(join(folder, file));
      const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      const required = ["Context", "Decision", "Evidence", "Consequences"];
      expect(headings.filter((heading) => heading !== "Rejected")).toEqual(required);
      expect(text).toMatch(/^\*\*Status:\*\* accepted, \d{4}-\d\d-\d\d$/m);
      expect(text.split("\n").length).toBeLessThanOrEqual(80);
    });
  }
});

describe("CHANGELOG", () => {
  test("follows Keep a Changelog", () => {
    const text = readDocument("CHANGELOG.md");
    const kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"];
    const headings = [...text.matchAll(/^(##+) (.+)$/gm)];
    expect(headings[0]?.[2]).toBe("[Unreleased]");
    for (const [, level, heading = ""] of headings) {
      if (level === "##") expect(heading).toMatch(/^\[(?:Unreleased|\d+\.\d+\.\d+)\]/);
      else expect(kinds).toContain(heading);
    }
  });
});

test("the plugin for Claude Code is where its marketplace says, and runs reports that exist", () => {
  const { plugins } = JSON.parse(readDocument(".claude-plugin/marketplace.json"));
  expect(plugins).toHaveLength(1);
  const command = readDocument(join(plugins[0].source, "commands/mcp-cost.md"));
  const [, head = "", body = ""] = command.split("---\n");
  expect(head).toContain("disable-model-invocation: true\n");
  expect(head).toContain("allowed-tools: Bash(mcp-meter report:*)\n");
  const [, line = ""] = /^!`(.+)`$/m.exec(body) ?? [];
  const reports = line.split(" || ").map((words) => words.split(" "));
  expect(reports.map(([program, name]) => `${program} ${name}`)).toEqual(
    Array.from({ length: 2 }, () => "mcp-meter report"),
  );
  for (const [, , ...words] of reports) {
    const { flags, operands } = readWords(words, reportCommand.options, "report");
    expect(parseReportOptions({ options: flags, operands, child: undefined })).toMatchObject({
      isCosted: true,
    });
  }
});
