import {
  type ClientSettings,
  findMeterWord,
  type ConfiguredServer,
  findServers,
} from "#clients/configured-entries.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import type { UserHome } from "#history/imports/importer.ts";
import { nameCharactersMax, quotedCharactersMax } from "#kit/limits.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import {
  type ClientFileFault,
  locateFault,
  readClientFile,
} from "#state/storage/clients/read-settings.ts";
import { listUserFiles, findMissingMeter } from "#state/storage/clients/find-settings.ts";
import { findHomeFolder } from "#state/storage/folders.ts";
import { makeSafeName, quoteShellWord } from "#kit/text/unsafe-text.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { isObject } from "#wire/json.ts";
import { broken, type Examine, ok, warning } from "./finding.ts";
import { describeReason } from "#kit/sentences.ts";

const clientServersShownMax = 10;

const clientsCheck = "clients";

export const checkClients: Examine = ({ env, platform, executable }) => {
  const folder = findHomeFolder(env);
  if (folder === undefined) return [];
  const home = { folder, env, platform };
  const findings = clientIds.flatMap((id) => examineClient(id, home, executable));
  return findings.length > 0
    ? findings
    : [ok(clientsCheck, "found no settings of a known MCP client")];
};

type SettingsFile = {
  readonly file: string;
  readonly servers: readonly ConfiguredServer[];
};

function examineClient(id: ClientId, home: UserHome, executable: string): readonly Finding[] {
  const client = clients[id];
  const settingsFiles: SettingsFile[] = [];
  const findings: Finding[] = [];
  for (const file of listUserFiles(client, home)) {
    const content = readClientFile(file, client.language);
    if (content === undefined) continue;
    const fault = findFault(content);
    if (fault) findings.push(reportUnreadable(client, file, fault));
    else if ("value" in content) {
      settingsFiles.push({ file, servers: findServers(client, content.value) });
    }
  }
  if (settingsFiles.length === 0) return findings;
  return [
    ...findings,
    summarizeClient(id, settingsFiles),
    ...reportMissingMeters(client.name, settingsFiles, executable),
  ];
}

function findFault(
  content: { readonly value: unknown } | ClientFileFault,
): ClientFileFault | undefined {
  if ("fault" in content) return content;
  const { value } = content;
  const isSettings = isObject(value) || value === undefined || value === null;
  return isSettings ? undefined : { fault: "it is not an object" };
}

function reportUnreadable(
  { name }: ClientSettings,
  file: string,
  fileFault: ClientFileFault,
): Finding {
  const { fault, line } = fileFault;
  const quotedPath = quoteShellWord(file);
  const fix = line === undefined ? `ls -l ${quotedPath}` : `less +${line} ${quotedPath}`;
  return warning(
    clientsCheck,
    `the settings of ${name} cannot be read: ${locateFault(file, fileFault)}: ${describeReason(fault)}`,
    fix,
  );
}

function summarizeClient(id: ClientId, settingsFiles: readonly SettingsFile[]): Finding {
  const { name } = clients[id];
  const servers = settingsFiles.flatMap((file) => file.servers);
  const startedServers = servers.filter(({ command }) => command !== undefined);
  const unmeteredServers = startedServers.filter(
    ({ command = [] }) => findMeterWord(command) === undefined,
  );
  const remoteCount = servers.length - startedServers.length;
  const suffix =
    remoteCount === 0 ? "" : `; ${pluralize(remoteCount, "remote server")} not counted`;
  if (startedServers.length === 0) return ok(clientsCheck, `${name} starts no server${suffix}`);
  const count = pluralize(startedServers.length, "server");
  if (unmeteredServers.length === 0)
    return ok(clientsCheck, `${name}: ${count} behind mcp-meter${suffix}`);
  const verb = unmeteredServers.length === 1 ? "is" : "are";
  const detail = `${unmeteredServers.length} of ${count} of ${name} ${verb} not behind mcp-meter: ${listNames(unmeteredServers)}${suffix}`;
  return warning(clientsCheck, detail, `mcp-meter wrap --settings-of ${id} --all`);
}

// Makes the names printable, because other users may be able to write the client's settings.
function listNames(servers: readonly ConfiguredServer[]): string {
  const safeNames = servers.map(({ rawName }) =>
    makeSafeName(maskSecrets(rawName), quotedCharactersMax),
  );
  const names = [...new Set(safeNames)];
  const omitted = names.length - clientServersShownMax;
  const shown = names.slice(0, clientServersShownMax).join(", ");
  return omitted > 0 ? `${shown} and ${omitted} more` : shown;
}

function reportMissingMeters(
  name: string,
  settingsFiles: readonly SettingsFile[],
  executable: string,
): readonly Finding[] {
  const byMissingPath = Map.groupBy(
    settingsFiles.flatMap(({ servers }) => servers),
    ({ command }) => findMissingMeter(command ?? []),
  );
  const findings = [...byMissingPath].flatMap(([path, servers]) => {
    if (path === undefined) return [];
    const shown = makeSafeName(path, nameCharactersMax);
    const detail = `${name} cannot start ${listNames(servers)}: ${shown} does not exist`;
    return [broken(clientsCheck, detail, `replace ${shown} with ${quoteShellWord(executable)}`)];
  });
  return findings.slice(0, clientServersShownMax);
}
