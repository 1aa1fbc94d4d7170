import type { SyntaxNode, SyntaxMember } from "#kit/syntax/syntax-tree.ts";
import type { ConfiguredEntry, EntryForm } from "../configured-entries.ts";
import type { Refusal } from "./change-text.ts";

export type NodePath = ConfiguredEntry["path"];

export type EntryLocation = { readonly path: NodePath; readonly form: EntryForm };

// `command` names the program, and `list` holds its arguments. Without `command`, `list` is the whole command line.
export type EntryLayout = {
  readonly parent: SyntaxNode;
  readonly command: SyntaxMember | undefined;
  readonly list: SyntaxNode | undefined;
  readonly editableNames: ReadonlySet<string>;
};

export function findLayout(
  root: SyntaxNode,
  path: NodePath,
  form: EntryForm,
): EntryLayout | Refusal {
  const parent = findNode(root, form === "nested" ? [...path, "command"] : path);
  if (typeof parent === "string") return parent;
  const names = memberNames[form];
  const hasCommand = names.command !== undefined;
  const command = hasCommand ? findUniqueMember(parent, names.command) : undefined;
  const list = findUniqueMember(parent, names.list);
  if (command === "duplicate" || list === "duplicate") return "duplicate";
  const fault = hasCommand ? findCommandFault(command, list?.node) : findListFault(list?.node);
  const editableNames = new Set(Object.values(names));
  return fault ?? { parent, command, list: list?.node, editableNames };
}

type MemberNames = { readonly command?: string; readonly list: string };

const memberNames: { readonly [form in EntryForm]: MemberNames } = {
  command: { command: "command", list: "args" },
  cmd: { command: "cmd", list: "args" },
  array: { list: "command" },
  nested: { command: "path", list: "args" },
};

export function findNode(root: SyntaxNode, path: NodePath): SyntaxNode | Refusal {
  let node = root;
  for (const step of path) {
    if (node.hasSpecialSyntax) return "special_syntax";
    const next = typeof step === "number" ? node.items[step]?.node : findUniqueMember(node, step);
    if (next === undefined) return "missing";
    if (next === "duplicate") return next;
    node = "node" in next ? next.node : next;
  }
  return node.hasSpecialSyntax ? "special_syntax" : node;
}

// Members are cached, because entries are looked up one by one, and an object may have many members.
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
  if (command.node.hasSpecialSyntax) return "special_syntax";
  if (command.node.kind !== "text") return "layout";
  return list === undefined ? undefined : findListFault(list);
}

function findListFault(list: SyntaxNode | undefined): Refusal | undefined {
  if (list === undefined) return "missing";
  if (list.hasSpecialSyntax || list.items[0]?.node.hasSpecialSyntax === true)
    return "special_syntax";
  return list.kind === "list" ? undefined : "not_a_list";
}
