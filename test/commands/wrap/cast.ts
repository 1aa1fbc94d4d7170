import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Selection, WrapOptions } from "#commands/wrap/options.ts";
import { type FilePlan, planFile, type SettingsTask } from "#commands/wrap/plan-file.ts";
import type { SettingsFile } from "#state/storage/clients/find-settings.ts";
import type { WrapTask } from "#commands/wrap/wrap-report.ts";
import { Folder } from "../../support/folder.ts";

export const settings = `{
  "mcpServers": {
    "direct": { "command": "npx", "args": ["-y", "server"] },
    "behind": { "command": "/opt/mcp-meter", "args": ["--", "npx"] },
    "remote": { "url": "https://example.com" },
    "off": { "command": "x", "disabled": true }
  }
}
`;

export class CursorHome extends Folder {
  readonly cursor = this.at(".cursor", "mcp.json");
  readonly env = { HOME: this.path, XDG_STATE_HOME: this.at("state") };
  readonly state = this.at("state", "mcp-meter");
  readonly backups = this.at("state", "mcp-meter", "backups");
  readonly target: SettingsFile = { client: "cursor", file: this.cursor };

  constructor(text: string = settings) {
    super();
    mkdirSync(dirname(this.cursor));
    writeFileSync(this.cursor, text);
  }

  text(): string {
    return readFileSync(this.cursor, "utf8");
  }

  plan(task: SettingsTask): FilePlan {
    const plan = planFile(this.target, task);
    if ("fault" in plan) throw new Error(plan.fault);
    return plan;
  }
}

export const wrapTask: WrapTask = {
  action: "wrap",
  names: [],
  buildFront: (name) => ["/opt/mcp-meter", "--server", name, "--"],
};

export const unwrapTask: WrapTask = { action: "unwrap", names: [], buildFront: () => [] };

export const selection: Selection & WrapOptions = {
  names: [],
  clients: [],
  project: undefined,
  file: undefined,
  isConfirmed: false,
  isDryRun: false,
  format: "table",
  output: undefined,
  isWide: false,
  action: "wrap",
  includesRemote: false,
  flags: [],
};
