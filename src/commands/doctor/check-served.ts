import { clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { servedShownMax } from "#limits/examination.ts";
import { quotedCharactersMax } from "#limits/files.ts";
import { probePort } from "#http/ports/probe.ts";
import type { Finding } from "#renderers/documents/doctor.ts";
import { readClientFile } from "#storage/clients/client-file.ts";
import { userFiles } from "#storage/clients/client-files.ts";
import { readRemoteNotes } from "#storage/clients/remote-notes.ts";
import { journaledFiles } from "#storage/clients/wrap-journal.ts";
import { homeFolder, stateFolder } from "#storage/folders.ts";
import { maskSecrets } from "#text/mask-secrets.ts";
import { safeName } from "#text/safe-name.ts";
import { shellWord } from "#text/shell-word.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { type ReachedServer, servedInFile } from "../wrap/served-in-file.ts";
import { broken, type Check, ok, type Patient } from "./finding.ts";

const check = "serve";

/** The addresses of `serve` in the settings of clients, and whether it listens there. */
export const checkServed: Check = async (patient) => {
  const servers = [...Map.groupBy(reachedServers(patient), ({ address }) => address).values()];
  const findings = servers.slice(0, servedShownMax).map(async (all) => findingOf(all));
  return Promise.all(findings);
};

/** In the settings of the user, and in those of projects that were wrapped. */
function reachedServers({
  env,
  platform,
}: Patient): readonly (ReachedServer & { client: string })[] {
  const [folder, state] = [homeFolder(env), stateFolder(env)];
  if (folder === undefined || state === undefined) return [];
  const home = { folder, env, platform };
  const own = clientIds.flatMap((id) =>
    userFiles(clients[id], home).map((file) => [file, id] as const),
  );
  const journaled = [...journaledFiles(state)].map(([file, { client }]) => [file, client] as const);
  const isServed = (file: string): boolean =>
    readRemoteNotes(state, file).some(({ served }) => served !== undefined);
  return [...new Map([...own, ...journaled])].flatMap(([file, id]) => {
    if (!isServed(file)) return [];
    const { form, name } = clients[id];
    const read = readClientFile(file, form);
    if (read === undefined || "fault" in read) return [];
    return servedInFile(id, { file, value: read.value }, env).map((one) => ({
      ...one,
      client: name,
    }));
  });
}

async function findingOf(
  servers: readonly (ReachedServer & { client: string })[],
): Promise<Finding> {
  const [{ address, words, rawName } = { address: "", words: [], rawName: "" }] = servers;
  const name = safeName(maskSecrets(rawName), quotedCharactersMax);
  const by = [...new Set(servers.map(({ client }) => client))].join(", ");
  const { port } = new URL(address);
  switch (await probePort(Number(port))) {
    case "serve":
      return ok(check, `${name} of ${by} is served at ${address}`);
    case "nobody":
      return broken(
        check,
        `${by} cannot reach ${name}: nothing listens at ${address}`,
        escapeUnsafe(words.map(shellWord).join(" ")),
      );
    case "other":
      return broken(
        check,
        `${by} cannot reach ${name}: another program listens at ${address}`,
        `lsof -i TCP:${port} -s TCP:LISTEN`,
      );
  }
}
