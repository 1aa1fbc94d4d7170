import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { runCli } from "../../../src/cli.ts";
import type { ConfirmationPrompt } from "#commands/wrap/confirm-changes.ts";
import { trim } from "#commands/trim/command.ts";
import { parseTrimOptions, trimCommand } from "#commands/trim/index.ts";
import { readWords } from "#commands/parse-command-line.ts";
import type { DefinitionsRecord, MeterRecord } from "#records/record.ts";
import type { TrimReport } from "#screens/renderers/documents/settings/trim.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";
import { fortnightNowMs } from "../../support/made-fortnight.ts";
import {
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../../support/made-records.ts";
import { servedMachine } from "../../support/served.ts";

const nobody: ConfirmationPrompt = {
  canAsk: () => false,
  ask: () => Promise.reject(new Error("asked")),
};

/** A home with settings, and records of sessions. */
export class TrimHome implements Disposable {
  readonly folder: Folder;
  readonly program: string;

  constructor(sessions: readonly (readonly MeterRecord[])[]) {
    this.folder = servedMachine(sessions).folder;
    this.program = this.write("bin/mcp-meter", "#!/bin/sh\n");
    chmodSync(this.program, 0o755);
  }

  [Symbol.dispose](): void {
    this.folder[Symbol.dispose]();
  }

  get env() {
    const { path } = this.folder;
    return { HOME: path, XDG_STATE_HOME: path, XDG_CONFIG_HOME: this.folder.at("config") };
  }

  write(name: string, text: string | Uint8Array): string {
    const path = this.folder.at(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  replaceSessions(sessions: readonly (readonly MeterRecord[])[]): void {
    for (const [at, records] of sessions.entries()) {
      const lines = records.map(formatRecordLine).join("");
      this.write(`mcp-meter/sessions/2026-11-22/${at}.ndjson`, lines);
    }
  }

  read(name: string): string {
    return readFileSync(this.folder.at(name), "utf8");
  }

  words(server: string, ...options: readonly string[]): readonly string[] {
    return [this.program, "--server", server, ...options, "--", "npx", server];
  }

  /** Servers in the JSON of a client, each with these options of mcp-meter. */
  writeServers(name: string, servers: { readonly [server: string]: readonly string[] }): string {
    const entries = Object.entries(servers).map(([server, options]) => {
      const [command, ...args] = this.words(server, ...options);
      return [server, { command, args }] as const;
    });
    return this.write(name, JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  }

  async trim(words: readonly string[], prompt: ConfirmationPrompt = nobody, terminal = {}) {
    const { flags, operands } = readWords(words, trimCommand.options, "trim");
    const options = parseTrimOptions({ options: flags, operands, child: undefined });
    const { io, stdout, stderr } = fakeIo({
      argv: ["trim", ...words],
      env: this.env,
      stdout: terminal,
    });
    const ending = await trim(options, io, prompt, fortnightNowMs);
    return { ending, stdout: stdout(), stderr: stderr() };
  }

  async report(...words: readonly string[]): Promise<TrimReport> {
    const { stdout } = await this.trim([...words, "--json"]);
    return JSON.parse(stdout);
  }

  async run(...argv: readonly string[]) {
    const { io, stdout, stderr } = fakeIo({ argv, env: this.env });
    const ending = await runCli({ ...io, validatorCommand: [this.program] });
    return { ending, stdout: stdout(), stderr: stderr() };
  }
}

type MadeServer = {
  readonly server?: string;
  readonly client?: string;
  readonly tools: readonly string[];
  readonly called?: readonly string[];
  readonly tokens?: number;
  readonly more?: readonly MeterRecord[];
  readonly list?: Partial<DefinitionsRecord>;
};

/** Sessions of a server in the days before the fortnight's end; the tools are called in the first. */
export function madeSessions(
  count: number,
  { server = "github", client = "claude-code", tools, called = [], ...more }: MadeServer,
): MeterRecord[][] {
  return Array.from({ length: count }, (_, at) => {
    const session_id = `${client} ${server} ${at}`;
    const ts = new Date(fortnightNowMs - (count - at) * 3_600_000).toISOString();
    const common = { session_id, server, ts };
    const records = [
      sessionRecord({ ...common, client_name: client, model: "claude-opus-5" }),
      definitionsRecord({
        ...common,
        tools: tools.map((name) => toolDefinition(name, more.tokens ?? 300)),
        ...more.list,
      }),
      ...(at === 0 ? called : []).map((tool) => callRecord({ ...common, tool })),
      ...(more.more ?? []).map((record) => ({ ...record, ...common })),
    ];
    return records.map((record, seq) => ({ ...record, seq }));
  });
}
