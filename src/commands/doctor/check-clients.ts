import {
  type ClientSettings,
  meterWord,
  type ConfiguredServer,
  serversIn,
} from "#clients/configured-entries.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { inWords } from "#kit/errors.ts";
import type { LogHome } from "#history/imports/importer.ts";
import { nameCharactersMax, quotedCharactersMax } from "#kit/limits.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import { type ClientFileFault, readClientFile } from "#state/storage/clients/client-file.ts";
import { userFiles, lostMeter } from "#state/storage/clients/settings-files.ts";
import { homeFolder } from "#state/storage/folders.ts";
import { maskSecrets, safeName } from "#kit/text/unsafe-text.ts";
import { plural } from "#kit/text/numbers.ts";
import { shellWord } from "#kit/text/shell-word.ts";
import { isObject } from "#wire/json.ts";
import { broken, type Check, ok, warning } from "./finding.ts";

const clientServersShownMax = 10;

const check = "clients";

export const checkClients: Check = ({ env, platform, executable }) => {
  const folder = homeFolder(env);
  if (folder === undefined) return [];
  const home = { folder, env, platform };
  const findings = clientIds.flatMap((id) => findingsOf(id, home, executable));
  return findings.length > 0 ? findings : [ok(check, "no settings of a known MCP client")];
};

type ReadFile = {
  readonly file: string;
  readonly servers: readonly ConfiguredServer[];
};

function findingsOf(id: ClientId, home: LogHome, executable: string): readonly Finding[] {
  const client = clients[id];
  const read: ReadFile[] = [];
  const findings: Finding[] = [];
  for (const file of userFiles(client, home)) {
    const content = readClientFile(file, client.form);
    if (content === undefined) continue;
    const fault = faultOf(content);
    if (fault) findings.push(unreadable(client, file, fault));
    else if ("value" in content) {
      read.push({ file, servers: serversIn(client, content.value) });
    }
  }
  if (read.length === 0) return findings;
  return [...findings, summaryOf(id, read), ...lostMeters(client.name, read, executable)];
}

function faultOf(
  content: { readonly value: unknown } | ClientFileFault,
): ClientFileFault | undefined {
  if ("fault" in content) return content;
  const { value } = content;
  const isSettings = isObject(value) || value === undefined || value === null;
  return isSettings ? undefined : { fault: "it has no members with names" };
}

function unreadable({ name }: ClientSettings, file: string, found: ClientFileFault): Finding {
  const { fault, line } = found;
  const word = shellWord(file);
  const place = line === undefined ? file : `${file}, line ${line}`;
  const fix = line === undefined ? `ls -l ${word}` : `less +${line} ${word}`;
  return warning(check, `the settings of ${name} cannot be read: ${place}: ${inWords(fault)}`, fix);
}

function summaryOf(id: ClientId, read: readonly ReadFile[]): Finding {
  const { name } = clients[id];
  const servers = read.flatMap((file) => file.servers);
  const started = servers.filter(isStarted);
  const plain = started.filter(isPlain);
  const remote = servers.length - started.length;
  const rest = remote === 0 ? "" : `; ${plural(remote, "remote server")} not counted`;
  if (started.length === 0) return ok(check, `${name} starts no server${rest}`);
  const all = plural(started.length, "server");
  if (plain.length === 0) return ok(check, `${name}: ${all} behind mcp-meter${rest}`);
  const verb = plain.length === 1 ? "is" : "are";
  const detail = `${plain.length} of ${all} of ${name} ${verb} not behind mcp-meter: ${namesOf(plain)}${rest}`;
  return warning(check, detail, `mcp-meter wrap --client ${id} --all`);
}

function isStarted({ command }: ConfiguredServer): boolean {
  return command !== undefined;
}

function isPlain({ command }: ConfiguredServer): boolean {
  return command !== undefined && meterWord(command) === undefined;
}

/** Made printable: others may be able to write the file. */
function namesOf(servers: readonly ConfiguredServer[]): string {
  const names = [...new Set(servers.map(({ rawName }) => shownName(rawName)))];
  const rest = names.length - clientServersShownMax;
  const shown = names.slice(0, clientServersShownMax).join(", ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function shownName(rawName: string): string {
  return safeName(maskSecrets(rawName), quotedCharactersMax);
}

/** Their clients cannot start them: no mcp-meter at the path of their command. */
function lostMeters(
  name: string,
  read: readonly ReadFile[],
  executable: string,
): readonly Finding[] {
  const byPath = Map.groupBy(
    read.flatMap(({ servers }) => servers),
    ({ command }) => lostMeter(command ?? []),
  );
  const lost = [...byPath].flatMap(([path, servers]) => {
    if (path === undefined) return [];
    const shown = safeName(path, nameCharactersMax);
    const detail = `${name} cannot start ${namesOf(servers)}: there is no ${shown}`;
    return [broken(check, detail, `write ${shellWord(executable)} in place of ${shown}`)];
  });
  return lost.slice(0, clientServersShownMax);
}
