import { wrapAnsi } from "bun";
import {
  type ConfiguredEntry,
  countWordsBeforeServer,
  type SettingsLanguage,
} from "#clients/configured-entries.ts";
import { clients } from "#clients/index.ts";
import type { Io } from "#kit/io.ts";
import { privateReportMode, writeReportFile } from "#state/storage/report-file.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { readMember } from "#wire/json.ts";
import { convertRemoteEntry } from "./plan-entry-changes.ts";
import type { Selection } from "./options.ts";
import type { FilePlan, PlannedServer, SettingsTask } from "./plan-file.ts";
import { formatMember, formatLiteral } from "#clients/wrapping/literals.ts";
import { describeRefusal, remoteTexts, wrapTexts } from "./sentences.ts";
import {
  makeCommandMembers,
  type MemberChanges,
  type NewMember,
} from "#clients/wrapping/convert-members.ts";

export function printLines(
  plans: readonly FilePlan[],
  task: SettingsTask,
  { output }: Pick<Selection, "output">,
  { stdout }: Pick<Io, "stdout">,
): void {
  const blocks = plans.flatMap(({ target, servers }) =>
    servers.flatMap((server) => {
      const lines = formatServer(server, target, task);
      return lines.length === 0 ? [] : [lines.map(escapeUnsafe).flatMap(wrapComment).join("\n")];
    }),
  );
  const text = blocks.map((block) => `${block}\n`).join("\n");
  if (output === undefined) stdout.write(text);
  else writeReportFile(output, text, privateReportMode);
}

const commentColumnsMax = 80;

const commentMark = "# ";

function wrapComment(line: string): readonly string[] {
  if (!line.startsWith(commentMark)) return [line];
  const room = commentColumnsMax - commentMark.length;
  const lines = wrapAnsi(line.slice(commentMark.length), room).split("\n");
  return lines.map((text) => `${commentMark}${text}`);
}

type Target = FilePlan["target"];

function formatServer(
  { entry, state, refusal, subject }: PlannedServer,
  target: Target,
  task: SettingsTask,
): readonly string[] {
  const { form, words, rawName } = entry;
  const front = task.buildFront(rawName);
  const language = clients[target.client].language;
  if (form === undefined) {
    if (refusal !== undefined && refusal.startsWith("remote_")) {
      return [wrapTexts.pasteRefused(rawName, target.file, describeRefusal(refusal, subject))];
    }
    if (state === "remote" && task.names.length > 0) {
      return [wrapTexts.pasteRefused(rawName, target.file, remoteTexts.passRemote())];
    }
    return state === "changed" ? formatRemoteServer(entry, target, task) : [];
  }
  if (countWordsBeforeServer(words) !== undefined) return [];
  if (!hasOnlyWords(entry)) {
    return [
      wrapTexts.unprintable(
        rawName,
        target.file,
        describeRefusal(refusal ?? "not_a_string", subject),
      ),
    ];
  }
  const commandWords = [...front, ...words.map(String)];
  return [
    wrapTexts.paste(rawName, target.file),
    ...formatMembers(language, makeCommandMembers(form, commandWords)),
  ];
}

// Printing would lose or alter arguments that are not a list of strings.
function hasOnlyWords({ form, words, entry }: ConfiguredEntry): boolean {
  const args = form === "nested" ? readMember(entry, "command", "args") : entry["args"];
  const isListed = form === "array" || (args ?? null) === null || Array.isArray(args);
  return isListed && words.every((word) => typeof word === "string");
}

function formatRemoteServer(
  entry: ConfiguredEntry,
  target: Target,
  task: SettingsTask,
): readonly string[] {
  const language = clients[target.client].language;
  const change = convertRemoteEntry(entry, target.client, task);
  if ("refusal" in change) return [];
  const { replaced, renamed, inner, values }: MemberChanges = change.converted;
  const names = [
    ...[...renamed, ...inner].map(({ from, to }) => wrapTexts.pasteName(from, to)),
    ...values.map(({ of, to }) => wrapTexts.pasteName(String(entry.entry[of]), to)),
  ];
  return [
    ...replaced.flatMap(({ from, to }) => [
      wrapTexts.pasteRemote(entry.rawName, target.file, from),
      ...formatMembers(language, to),
    ]),
    ...names,
  ];
}

function formatMembers(
  language: SettingsLanguage,
  members: readonly NewMember[],
): readonly string[] {
  return members.map(({ name, value }, at) => {
    const line = formatMember(language, name, formatLiteral(value));
    return language === "json" && at < members.length - 1 ? `${line},` : line;
  });
}
