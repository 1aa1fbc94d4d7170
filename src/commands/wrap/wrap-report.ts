import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { mcpRemote } from "#clients/remote-entry.ts";
import { quotedCharactersMax } from "#kit/limits.ts";
import type { Note } from "#screens/renderers/document.ts";
import type { FileChange, WrapReport } from "#screens/renderers/documents/settings/wrap.ts";
import { journaledFiles } from "#state/storage/clients/wrap-journal.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { safeName } from "#kit/text/safe-name.ts";
import type { FilePlan, PlannedServer, Task } from "./plan-file.ts";
import { refusalReason, remoteTexts, restartWays } from "./sentences.ts";

export function wrapReport(
  plans: readonly FilePlan[],
  task: Task,
  { isDryRun, state }: { readonly isDryRun: boolean; readonly state: string | undefined },
): WrapReport {
  const journal = state === undefined ? new Map<string, never>() : journaledFiles(state);
  const servers = plans.flatMap(({ target, servers: all }) =>
    all
      .filter((server) => isReported(server, task))
      .map(({ entry, state: one, refusal, subject, isRemote }) => ({
        client: target.client,
        server: safeName(maskSecrets(entry.rawName), quotedCharactersMax),
        file: target.file,
        state: one,
        is_remote: isRemote,
        reason:
          refusal === undefined
            ? null
            : refusalReason(refusal, subject && safeName(subject, quotedCharactersMax)),
        since:
          one === "behind" ? (journal.get(target.file)?.servers.get(entry.rawName) ?? null) : null,
      })),
  );
  const count = (wanted: string): number =>
    servers.filter(({ state: one }) => one === wanted).length;
  return {
    schema_version: "1.0",
    action: task.action,
    is_dry_run: isDryRun,
    servers,
    changed: count("changed"),
    refused: count("refused"),
  };
}

function isReported({ state }: PlannedServer, { action, names }: Task): boolean {
  return action !== "unwrap" || names.length > 0 || state === "changed" || state === "refused";
}

export function fileChanges(plans: readonly FilePlan[]): readonly FileChange[] {
  return plans.flatMap(({ target, lines }) =>
    lines.length === 0 ? [] : [{ file: target.file, lines }],
  );
}

export function remoteNotes(plans: readonly FilePlan[], { action }: Task): readonly Note[] {
  const servers = plans.flatMap((plan) => plan.servers);
  const isWrapped = servers.some(({ state, isRemote }) => state === "changed" && isRemote);
  const isLeft = servers.some(({ state }) => state === "remote");
  const texts = [
    ...(action === "wrap" && isWrapped ? [remoteTexts.wrapped(mcpRemote)] : []),
    ...(action === "wrap" && isLeft ? [remoteTexts.left()] : []),
    ...servers.flatMap(({ entry, isLocal }) =>
      isLocal ? [remoteTexts.local(safeName(maskSecrets(entry.rawName), quotedCharactersMax))] : [],
    ),
  ];
  return texts.map((text) => ({ label: "remote", text }));
}

export function restartNotes(plans: readonly FilePlan[]): readonly Note[] {
  const changed = plans.filter(({ after }) => after !== undefined);
  const ids = new Set<ClientId>(changed.map(({ target }) => target.client));
  return clientIds
    .filter((id) => ids.has(id))
    .map((id) => ({ label: id, text: restartWays[clients[id].restart](clients[id].name) }));
}
