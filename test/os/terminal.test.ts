import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fdWriter } from "#os/terminal.ts";
import { Folder } from "../support/folder.ts";

test("writes all of a text to a file, which is no terminal and has no columns", () => {
  using folder = new Folder();
  const fd = openSync(folder.at("out"), "w");
  const writer = fdWriter(fd, { COLUMNS: "80" });
  writer.write("é".repeat(100_000));
  writer.write("\nmore");
  expect([writer.isTerminal, writer.columns]).toEqual([false, undefined]);
  closeSync(fd);
  expect(readFileSync(folder.at("out"), "utf8")).toBe(`${"é".repeat(100_000)}\nmore`);
});

test("a descriptor that is closed or full loses the text and nothing else", () => {
  const full = openSync("/dev/full", "w");
  fdWriter(full, {}).write("lost");
  closeSync(full);
  fdWriter(full, {}).write("lost too");
});

test("knows the width of a terminal, and COLUMNS before that", async () => {
  using folder = new Folder();
  const module = join(import.meta.dir, "..", "..", "src", "os", "terminal.ts");
  const program = folder.file(
    "width.ts",
    `import { fdWriter } from ${JSON.stringify(module)};
     const writer = fdWriter(1, process.env);
     writer.write(JSON.stringify([writer.isTerminal, writer.columns]) + "\\n");`,
  );
  const widthIn = async (env: { readonly [name: string]: string }): Promise<string> => {
    const chunks: Uint8Array[] = [];
    const child = Bun.spawn([process.execPath, program], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      terminal: { cols: 63, rows: 20, data: (_terminal, chunk) => void chunks.push(chunk) },
    });
    await child.exited;
    for (let waits = 0; chunks.length === 0 && waits < 100; waits += 1) await Bun.sleep(10);
    return Buffer.concat(chunks).toString().trim();
  };
  expect(await widthIn({})).toBe("[true,63]");
  expect(await widthIn({ COLUMNS: "50" })).toBe("[true,50]");
});
