import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "#commands/index.ts";
import { version as ownVersion } from "#kit/version.ts";
import { documentRows } from "./document-rows.ts";
import { manPage } from "./page.ts";

const root = join(import.meta.dir, "..", "..");

export const manPath = "docs/mcp-meter.1";

const firstDate = "2026-11-22";

type PageRelease = { readonly version: string; readonly changelog: string };

export function currentManPage({ version, changelog }: PageRelease = currentRelease()): string {
  const state = documentRows(
    read("docs/privacy.md"),
    "**The working directory configures nothing.**",
  );
  return manPage({
    commands: Object.values(commands),
    version,
    date: mdocDate(releaseDate(changelog)),
    variables: documentRows(read("docs/config.md"), "## Environment"),
    files: [
      ["/etc/mcp-meter/config.json", "Options for all users of the machine"],
      [
        "$XDG_CONFIG_HOME/mcp-meter/config.json",
        "Options of a user, else ~/.config/mcp-meter/config.json",
      ],
      ...state.map(([name, meaning]) => [`$XDG_STATE_HOME/mcp-meter/${name}`, meaning] as const),
    ],
  });
}

function currentRelease(): PageRelease {
  return { version: ownVersion, changelog: read("CHANGELOG.md") };
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function releaseDate(changelog: string): string {
  return /^## \[\d[^\]]*\] - (\d{4}-\d{2}-\d{2})$/m.exec(changelog)?.[1] ?? firstDate;
}

function mdocDate(date: string): string {
  return new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(`${date}T00:00:00Z`),
  );
}
