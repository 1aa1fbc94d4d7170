import type { Part, PartMember } from "#syntax/part.ts";
import type { Refusal } from "./refusal.ts";

/**
 * How an entry states its command: `command` or `cmd` as text with `args`, `command` as a list of all words, or `command` as
 * an object of `path` and `args`.
 */
export type CommandForm = "command" | "cmd" | "list" | "path";

/** Names of members, and indexes of lists, that lead to a part. */
export type PartPath = readonly (string | number)[];

/** The places of an entry's command. */
export type EntryLayout = {
  /** The part that has the command and its arguments. */
  readonly holder: Part;
  /** Undefined where the list has all words. */
  readonly command: PartMember | undefined;
  /** The list of arguments, or of all words; undefined where there is none. */
  readonly list: Part | undefined;
  /** Names of the members of `holder` that a change of the command changes. */
  readonly changing: ReadonlySet<string>;
};

/** Finds the command of the entry at `path`, or says why it must not be changed. */
export function layoutAt(root: Part, path: PartPath, form: CommandForm): EntryLayout | Refusal {
  const inner = form === "path" ? [...path, "command"] : path;
  const holder = partAt(root, inner);
  if (typeof holder === "string") return holder;
  const names = { command: "command", cmd: "cmd", list: undefined, path: "path" } as const;
  const name = names[form];
  const command = name === undefined ? undefined : ownMember(holder, name);
  if (command === "duplicate") return command;
  const listName = name === undefined ? "command" : "args";
  const list = ownMember(holder, listName);
  if (list === "duplicate") return list;
  const fault = name === undefined ? listFault(list?.part) : commandFault(command, list?.part);
  const changing = new Set([name ?? listName, listName]);
  return fault ?? { holder, command, list: list?.part, changing };
}

function partAt(root: Part, path: PartPath): Part | Refusal {
  let part = root;
  for (const step of path) {
    if (part.isShared) return "shared";
    const next = typeof step === "number" ? part.items[step]?.part : ownMember(part, step);
    if (next === undefined) return "missing";
    if (next === "duplicate") return next;
    part = "part" in next ? next.part : next;
  }
  return part.isShared ? "shared" : part;
}

function ownMember({ members }: Part, name: string): PartMember | "duplicate" | undefined {
  const [first, second] = members.filter((member) => member.name === name);
  return second === undefined ? first : "duplicate";
}

function commandFault(
  command: PartMember | undefined,
  list: Part | undefined,
): Refusal | undefined {
  if (command === undefined) return "missing";
  if (command.part.isShared) return "shared";
  if (command.part.kind !== "text") return "layout";
  return list === undefined ? undefined : listFault(list);
}

function listFault(list: Part | undefined): Refusal | undefined {
  if (list === undefined) return "missing";
  if (list.isShared || list.items[0]?.part.isShared === true) return "shared";
  return list.kind === "list" ? undefined : "arguments";
}
