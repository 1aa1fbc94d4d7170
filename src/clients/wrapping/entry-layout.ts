import type { PlacedPart, PartMember } from "#kit/syntax/part.ts";
import type { Refusal } from "./edits.ts";

/** `command` or `cmd` with `args`, a list of all words, or an object of `path` and `args`. */
export type CommandForm = "command" | "cmd" | "list" | "path";

export type PartPath = readonly (string | number)[];

export type EntryPlace = { readonly path: PartPath; readonly form: CommandForm };

export type EntryLayout = {
  readonly holder: PlacedPart;
  readonly command: PartMember | undefined;
  /** Arguments, or all words. */
  readonly list: PlacedPart | undefined;
  readonly changing: ReadonlySet<string>;
};

export function layoutAt(
  root: PlacedPart,
  path: PartPath,
  form: CommandForm,
): EntryLayout | Refusal {
  const inner = form === "path" ? [...path, "command"] : path;
  const holder = partAt(root, inner);
  if (typeof holder === "string") return holder;
  const [name, listName] = membersOf[form];
  const command = name === undefined ? undefined : ownMember(holder, name);
  const list = ownMember(holder, listName);
  if (command === "duplicate" || list === "duplicate") return "duplicate";
  const fault = name === undefined ? listFault(list?.part) : commandFault(command, list?.part);
  const changing = new Set([name ?? listName, listName]);
  return fault ?? { holder, command, list: list?.part, changing };
}

const membersOf: { readonly [form in CommandForm]: readonly [string | undefined, string] } = {
  command: ["command", "args"],
  cmd: ["cmd", "args"],
  list: [undefined, "command"],
  path: ["path", "args"],
};

export function partAt(root: PlacedPart, path: PartPath): PlacedPart | Refusal {
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

// The entries of a file are found one by one, and an object may have many members.
const membersByName = new WeakMap<PlacedPart, Map<string, PartMember | "duplicate">>();

export function ownMember(part: PlacedPart, name: string): PartMember | "duplicate" | undefined {
  const known = membersByName.get(part);
  if (known) return known.get(name);
  const members = new Map<string, PartMember | "duplicate">();
  for (const one of part.members) members.set(one.name, members.has(one.name) ? "duplicate" : one);
  membersByName.set(part, members);
  return members.get(name);
}

function commandFault(
  command: PartMember | undefined,
  list: PlacedPart | undefined,
): Refusal | undefined {
  if (command === undefined) return "missing";
  if (command.part.isShared) return "shared";
  if (command.part.kind !== "text") return "layout";
  return list === undefined ? undefined : listFault(list);
}

function listFault(list: PlacedPart | undefined): Refusal | undefined {
  if (list === undefined) return "missing";
  if (list.isShared || list.items[0]?.part.isShared === true) return "shared";
  return list.kind === "list" ? undefined : "arguments";
}
