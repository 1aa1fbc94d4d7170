import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { recordedNames } from "#commands/completion/recorded-names.ts";
import {
  completionBytesMax,
  completionFilesMax,
  completionHeadBytesMax,
  completionNameCharactersMax,
  completionNamesMax,
  completionServerBytesMax,
} from "#limits/completion.ts";
import { Folder } from "../../support/folder.ts";

/** A folder of sessions with one day, and the lines of its files by name. */
function sessions(folder: Folder, files: { readonly [name: string]: readonly unknown[] }): string {
  const day = folder.at("2026-11-22");
  mkdirSync(day, { recursive: true });
  for (const [name, lines] of Object.entries(files)) {
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    writeFileSync(`${day}/${name}.ndjson`, `${text.join("\n")}\n`);
  }
  return folder.path;
}

/** A record of so many bytes. */
function lineOf(record: object, bytes: number): string {
  const bare = JSON.stringify({ ...record, x: "" });
  return JSON.stringify({ ...record, x: "x".repeat(bytes - bare.length) });
}

describe("recordedNames", () => {
  test("has each name once: of servers, of tools that were listed or called", () => {
    using folder = new Folder();
    const path = sessions(folder, {
      a: [
        { type: "session", server: "garden" },
        { type: "definitions", server: "garden", tools: [{ name: "water" }, { name: "dig" }] },
        { type: "call", server: "garden", tool: "water" },
      ],
      b: [{ type: "call", server: "kitchen", tool: "cook" }],
    });
    expect(recordedNames("server", path)).toEqual(["garden", "kitchen"]);
    expect(recordedNames("tool", path)).toEqual(["cook", "dig", "water"]);
  });

  test("leaves out names that are not text for a person to type", () => {
    using folder = new Folder();
    const long = "x".repeat(completionNameCharactersMax);
    const bad = [
      "",
      "-rf",
      "--yes",
      "a\nb",
      "a\tb",
      "\u001b[31m",
      "\u202eevil",
      `${long}x`,
      7,
      null,
    ];
    const good = ["My Server", "$(id)", "`id`", "it's", "ns:tool", "ключ", long];
    const path = sessions(folder, { a: [...bad, ...good].map((server) => ({ server })) });
    expect(recordedNames("server", path)).toEqual(good.toSorted());
  });

  test("never fails: without a folder, with lines that are not records, with pipes and links", () => {
    using folder = new Folder();
    expect(recordedNames("server", folder.at("missing"))).toEqual([]);
    const path = sessions(folder, {
      a: ["", "not json", "[1]", "null", '{"server":', { server: "ok", tools: "x" }],
    });
    Bun.spawnSync(["mkfifo", folder.at("2026-11-22", "pipe.ndjson")]);
    symlinkSync("nowhere", folder.at("2026-11-22", "link.ndjson"));
    mkdirSync(folder.at("2026-11-22", "folder.ndjson"));
    expect(recordedNames("server", path)).toEqual(["ok"]);
    expect(recordedNames("tool", path)).toEqual([]);
  });

  test(`reads the newest ${completionFilesMax} files`, () => {
    using folder = new Folder();
    const names = Array.from(
      { length: completionFilesMax + 1 },
      (_, at) => `s${String(at).padStart(3, "0")}`,
    );
    const path = sessions(
      folder,
      Object.fromEntries(names.map((server) => [server, [{ server }]])),
    );
    expect(recordedNames("server", path)).toEqual(names.slice(1));
  });

  test(`reads ${completionHeadBytesMax} bytes of a file for tools, and ${completionBytesMax} of all`, () => {
    using folder = new Folder();
    const count = Math.ceil(completionBytesMax / completionHeadBytesMax) + 1;
    const files = Array.from({ length: count }, (_, at) => [
      `f${String(at).padStart(3, "0")}`,
      [lineOf({ tool: `whole-${at}` }, completionHeadBytesMax), { tool: `late-${at}` }],
    ]);
    const found = recordedNames("tool", sessions(folder, Object.fromEntries(files)));
    expect(found).toHaveLength(count - 1);
    expect(found.every((name) => name.startsWith("whole-"))).toBe(true);
    expect(found).not.toContain("whole-0");
  });

  test(`reads ${completionServerBytesMax} bytes of a file for servers`, () => {
    using folder = new Folder();
    const whole = lineOf({ server: "whole" }, completionServerBytesMax);
    const long = lineOf({ server: "long" }, completionServerBytesMax + 1);
    const path = sessions(folder, { a: [whole, { server: "late" }], b: [long] });
    expect(recordedNames("server", path)).toEqual(["whole"]);
  });

  test(`has at most ${completionNamesMax} names`, () => {
    using folder = new Folder();
    const tools = Array.from({ length: completionNamesMax + 1 }, (_, at) => ({ name: `t${at}` }));
    expect(recordedNames("tool", sessions(folder, { a: [{ tools }] }))).toHaveLength(
      completionNamesMax,
    );
    const few = tools.slice(1);
    expect(recordedNames("tool", sessions(folder, { a: [{ tools: few }] }))).toHaveLength(
      completionNamesMax,
    );
  });
});
