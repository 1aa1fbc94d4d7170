import type { SyntaxNode, SyntaxMember } from "#kit/syntax/syntax-tree.ts";
import type { ConfiguredEntry, EntryForm } from "../configured-entries.ts";
import type { Refusal } from "./change-text.ts";

export type NodePath = ConfiguredEntry["path"];

export type EntryLocation = { readonly path: NodePath; readonly form: EntryForm };

// `command` is the member with the program, and `list` has the other words; without `command`, `list`
// has all words.
export type EntryLayout = {
  readonly holder: SyntaxNode;
  readonly command: SyntaxMember | undefined;
  readonly list: SyntaxNode | undefined;
  readonly changing: ReadonlySet<string>;
};

export function findLayout(
  root: SyntaxNode,
  path: NodePath,
  form: EntryForm,
): EntryLayout | Refusal {
  const inner = form === "path" ? [...path, "command"] : path;
  const holder = findNode(root, inner);
  if (typeof holder === "string") return holder;
  const [name, listName] = memberNames[form];
  const command = name === undefined ? undefined : findUniqueMember(holder, name);
  const list = findUniqueMember(holder, listName);
  if (command === "duplicate" || list === "duplicate") return "duplicate";
  const fault =
    name === undefined ? findListFault(list?.node) : findCommandFault(command, list?.node);
  const changing = new Set([name ?? listName, listName]);
  return fault ?? { holder, command, list: list?.node, changing };
}

const memberNames: { readonly [form in EntryForm]: readonly [string | undefined, string] } = {
  command: ["command", "args"],
  cmd: ["cmd", "args"],
  list: [undefined, "command"],
  path: ["path", "args"],
};

export function findNode(root: SyntaxNode, path: NodePath): SyntaxNode | Refusal {
  let node = root;
  for (const step of path) {
    if (node.isShared) return "shared";
    const next = typeof step === "number" ? node.items[step]?.node : findUniqueMember(node, step);
    if (next === undefined) return "missing";
    if (next === "duplicate") return next;
    node = "node" in next ? next.node : next;
  }
  return node.isShared ? "shared" : node;
}

// Cached, because entries are looked up one by one, and an object may have many members.
const membersByName = new WeakMap<SyntaxNode, Map<string, SyntaxMember | "duplicate">>();

export function findUniqueMember(
  node: SyntaxNode,
  name: string,
): SyntaxMember | "duplicate" | undefined {
  const known = membersByName.get(node);
  if (known) return known.get(name);
  const members = new Map<string, SyntaxMember | "duplicate">();
  for (const member of node.members)
    members.set(member.name, members.has(member.name) ? "duplicate" : member);
  membersByName.set(node, members);
  return members.get(name);
}

function findCommandFault(
  command: SyntaxMember | undefined,
  list: SyntaxNode | undefined,
): Refusal | undefined {
  if (command === undefined) return "missing";
  if (command.node.isShared) return "shared";
  if (command.node.kind !== "text") return "layout";
  return list === undefined ? undefined : findListFault(list);
}

function findListFault(list: SyntaxNode | undefined): Refusal | undefined {
  if (list === undefined) return "missing";
  if (list.isShared || list.items[0]?.node.isShared === true) return "shared";
  return list.kind === "list" ? undefined : "arguments";
}
