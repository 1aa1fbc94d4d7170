import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EntryLocation } from "#clients/wrapping/entry-layout.ts";
import type { EntryForm, SettingsLanguage } from "#clients/configured-entries.ts";

import places from "../fixtures/wrapping/index.json" with { type: "json" };

export type WrapFixture = {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly language: SettingsLanguage;
  readonly place: EntryLocation;
};

const forms: { readonly [name: string]: EntryForm } = {
  "04-zed-settings.json": "nested",
  "05-opencode.jsonc": "array",
  "09-goose.yaml": "cmd",
};

export const wrapFixtures: readonly WrapFixture[] = Object.entries(places).map(([name, path]) => {
  const bytes = readFileSync(join(import.meta.dir, "../fixtures/wrapping", `${name}.settings`));
  const text = new TextDecoder().decode(bytes);
  const language = name.endsWith(".toml") ? "toml" : name.endsWith(".yaml") ? "yaml" : "json";
  return { name, bytes, text, language, place: { path, form: forms[name] ?? "command" } };
});

export const front: readonly string[] = ["/opt/my tools/mcp-meter", "--server", "memory", "--"];
