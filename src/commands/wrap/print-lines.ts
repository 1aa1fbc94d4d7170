import { addCommand, type AddScope, variableValue } from "#clients/add-commands.ts";
import type { ConfiguredEntry } from "#clients/entries-in.ts";
import { clients } from "#clients/index.ts";
import { wordsBeforeServer } from "#clients/meter-word.ts";
import type { Io } from "#io.ts";
import { privateReportMode, writeReportFile } from "#storage/report-file.ts";
import { shellWord } from "#text/shell-word.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";
import { isObject, memberAt } from "#wire/json.ts";
import { commandMembers } from "#wrapping/command-members.ts";
import type { MemberChanges } from "#wrapping/conversion.ts";
import { pasteLines } from "#wrapping/paste-lines.ts";
import { refusalReason, wrapTexts } from "#wrap-sentences.ts";
import { remoteChange } from "./change-entries.ts";
import type { Selection } from "./options.ts";
import type { FilePlan, PlannedServer, Task } from "./plan-file.ts";

/** Prints the lines by which each server is put behind mcp-meter, for a person who writes them. */
export function printLines(
  plans: readonly FilePlan[],
  task: Task,
  { output }: Pick<Selection, "output">,
  { stdout }: Pick<Io, "stdout">,
): void {
  const blocks = plans.flatMap(({ target, servers }) =>
    servers.flatMap((server) => {
      const lines = linesFor(server, target, task);
      return lines.length === 0 ? [] : [lines.map(escapeUnsafe).join("\n")];
    }),
  );
  const text = blocks.map((block) => `${block}\n`).join("\n");
  if (output === undefined) stdout.write(text);
  else writeReportFile(output, text, privateReportMode);
}

type Target = FilePlan["target"];

function linesFor(
  { entry, state, refusal, subject }: PlannedServer,
  target: Target,
  task: Task,
): readonly string[] {
  const { form, words, rawName, path } = entry;
  const front = task.frontFor(rawName);
  const language = clients[target.client].form;
  if (form === undefined) {
    if (refusal !== undefined && refusal.startsWith("remote_")) {
      return [wrapTexts.pasteRefused(rawName, target.file, refusalReason(refusal, subject))];
    }
    return state === "changed" ? remoteLines(entry, target, task) : [];
  }
  if (wordsBeforeServer(words) !== undefined) return [];
  if (!isWhole(entry)) {
    return [wrapTexts.unprintable(rawName, target.file, refusalReason(refusal ?? "text", subject))];
  }
  const all = [...front, ...words.map(String)];
  const { env } = entry.entry;
  const added = { name: rawName, words: all, variables: namesIn(env), path };
  return [
    wrapTexts.paste(rawName, target.file),
    ...pasteLines(language, commandMembers(form, all)),
    ...(isAddable(entry) ? addLines(added, target) : []),
  ];
}

/** The members that the own commands of clients can state. */
const addable = new Set(["type", "command", "args", "env"]);

/** True when the client's own command, which makes a new entry, would lose none of it: no timeout, no folder, no choice of tools. */
function isAddable({ rawName, words, entry }: ConfiguredEntry): boolean {
  const isPlain = [rawName, ...words].every((word) => escapeUnsafe(String(word)) === word);
  return isPlain && Object.keys(entry).every((name) => addable.has(name));
}

/** True when the words are all that the entry has: others would be lost by hand. */
function isWhole({ form, words, entry }: ConfiguredEntry): boolean {
  const args = form === "path" ? memberAt(entry, "command", "args") : entry["args"];
  const isListed = form === "list" || (args ?? null) === null || Array.isArray(args);
  return isListed && words.every((word) => typeof word === "string");
}

/** The members of a remote entry that change, without the values of its headers. */
function remoteLines(entry: ConfiguredEntry, target: Target, task: Task): readonly string[] {
  const language = clients[target.client].form;
  const change = remoteChange(entry, target.client, task);
  if ("refusal" in change) return [];
  const { replaced, renamed, inner, values }: MemberChanges = change.converted;
  if (change.served !== undefined) {
    const [{ of: member, to: value } = { of: "", to: "" }] = values;
    return [
      wrapTexts.pasteRemote(entry.rawName, target.file, member),
      ...pasteLines(language, [{ name: member, value }]),
      wrapTexts.pasteServing(),
      change.words.map(shellWord).join(" "),
    ];
  }
  const names = [
    ...[...renamed, ...inner].map(({ from, to }) => wrapTexts.pasteName(from, to)),
    ...values.map(({ of, to }) => wrapTexts.pasteName(String(entry.entry[of]), to)),
  ];
  return [
    ...replaced.flatMap(({ from, to }) => [
      wrapTexts.pasteRemote(entry.rawName, target.file, from),
      ...pasteLines(language, to),
    ]),
    ...names,
  ];
}

type Added = {
  readonly name: string;
  readonly words: readonly string[];
  readonly variables: readonly string[];
  readonly path: PlannedServer["entry"]["path"];
};

/** The own command of the client, where it has one. */
function addLines({ path, ...server }: Added, target: Target): readonly string[] {
  const add = addCommand(target.client);
  // A name with a dash would be an option.
  if (add === undefined || /^-|^$/.test(server.name)) return [];
  const folder = path.length > 2 ? String(path[1]) : undefined;
  const scope: AddScope = folder !== undefined ? "local" : target.isProject ? "project" : "user";
  const lines = add.commands({ ...server, scope }).map((words) => words.map(shellWord).join(" "));
  if (lines.length === 0) return [];
  return [
    wrapTexts.add(folder),
    ...(add.rewrites ? [wrapTexts.addRewrites(clients[target.client].name)] : []),
    ...(server.variables.length > 0 ? [wrapTexts.addValues(server.variables, variableValue)] : []),
    ...lines,
  ];
}

function namesIn(env: unknown): readonly string[] {
  return isObject(env) ? Object.keys(env) : [];
}
