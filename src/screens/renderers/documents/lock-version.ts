import type { Lock } from "#lock/lock.ts";
import type { Note } from "../document.ts";

type Version = Lock["lock_version"];

const missing: { readonly [version in Version]: string | undefined } = {
  "1.0": "definitions, prompts, resource templates, texts of the server, order of tools, skills",
  "2.0":
    "prompts, resource templates, title, description, website and icons of the server, order of tools, skills",
  "2.1": "website and icons of the server, order of tools, skills",
  "2.2": "order of tools, skills",
  "2.3": undefined,
};

export function versionNotes(label: string, version: Version | null, hint: string): Note[] {
  const parts = version === null ? undefined : missing[version];
  if (parts === undefined) return [];
  const detail = version === "1.0" ? "; it has hashes in place of definitions" : "";
  return [{ label, text: `version ${version} has no ${parts}: not compared${detail}${hint}` }];
}

export function upgradeNotes(version: Version | null): Note[] {
  const parts = version === null ? undefined : missing[version];
  if (parts === undefined) return [];
  return [
    { label: "version", text: `upgraded from version ${version}: the lock has ${parts} now` },
  ];
}
