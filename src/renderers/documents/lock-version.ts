import type { Lock } from "#lock/lock.ts";
import type { Note } from "../document.ts";

type Version = Lock["lock_version"];

/** The parts that writing an older lock again adds. */
const missing: { readonly [version in Version]: string | undefined } = {
  "1.0": "definitions, prompts, resource templates and texts of the server",
  "2.0": "prompts, resource templates, title, description, website and icons of the server",
  "2.1": "website and icons of the server",
  "2.2": undefined,
};

/** The parts that an older lock does not have; nothing for a lock of the newest version, and for none. */
export function versionNotes(label: string, version: Version | null, hint: string): Note[] {
  const parts = version === null ? undefined : missing[version];
  if (parts === undefined) return [];
  const detail = version === "1.0" ? "; it has hashes in place of definitions" : "";
  return [
    { label, text: `version ${version} has no ${parts}, which were not compared${detail}${hint}` },
  ];
}

/** The parts that a lock got when it was written again. */
export function upgradeNotes(version: Version | null): Note[] {
  const parts = version === null ? undefined : missing[version];
  if (parts === undefined) return [];
  return [
    { label: "version", text: `upgraded from version ${version}: the lock has ${parts} now` },
  ];
}
