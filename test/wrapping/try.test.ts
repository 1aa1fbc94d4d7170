import { test, expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wrapEntries, unwrapEntries } from "#wrapping/splice.ts";
import index from "../fixtures/wrapping/index.json";
const dir = join(import.meta.dir, "../fixtures/wrapping");
const forms: any = {
  "04-zed-settings.json": "path",
  "05-opencode.jsonc": "list",
  "09-goose.yaml": "cmd",
};
for (const [file, path] of Object.entries(index))
  test(file, () => {
    const raw = readFileSync(join(dir, file), "utf8");
    const text = raw.replace(/^\ufeff/, "");
    const language = file.endsWith("toml") ? "toml" : file.endsWith("yaml") ? "yaml" : "json";
    const place = { path: path as any, form: forms[file] ?? "command" };
    const front = ["/opt/mcp-meter", "--server", "memory", "--exit-code", "child", "--"];
    const done = wrapEntries({ text, language }, [{ ...place, front }]);
    expect([...done.refused.values()]).toEqual([]);
    expect(done.text).not.toBe(text);
    const back = unwrapEntries({ text: done.text, language }, [{ ...place, count: front.length }]);
    expect(back.text).toBe(text);
    console.log(done.text);
  });
