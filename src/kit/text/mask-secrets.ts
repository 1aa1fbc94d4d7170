import type { SyntaxNode } from "../syntax/syntax-tree.ts";

// A value shorter than this, such as `main`, may occur in a text by chance.
export const secretCharactersMin = 8;

export const mask = "***";

// In an HTTP URL, a user name without a password is often a token.
const urlPassword =
  /(\bhttps?:\/\/(?=[^\s/?#@:]+@)|\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#@:]*:)[^\s/?#]*@/gi;

const querySecret = /([?&][^\s=&#?]{0,60}?(?:auth|key|pass|password|secret|token)=)[^\s&#"]+/gi;

export function maskSecrets(text: string): string {
  return text.replaceAll(urlPassword, `$1${mask}@`).replaceAll(querySecret, `$1${mask}`);
}

export function mayContainSecret(url: URL): boolean {
  const { href, username, password, pathname, searchParams } = url;
  if (username !== "" || password !== "" || maskSecrets(href) !== href) return true;
  return [...pathname.split("/"), ...searchParams.values()].some(looksRandom);
}

function looksRandom(segment: string): boolean {
  return /^[\w~+=-]{20,}$/.test(segment) && /\d/.test(segment) && /[a-z]/i.test(segment);
}

type Span = { readonly start: number; readonly end: number };

const secretMapName = /^(?:env|environment|env_vars)$|headers$/i;

const secretName = /auth|bearer|cookie|credential|key|otlp|pass|pwd|secret|token/i;

const optionWithSecret = /^--?(?:H$|header|e$|env$|.*(?:auth|key|otlp|pass|pwd|secret|token))/i;

const assignedSecret =
  /^["']?(?:--?(?:env|headers?)=[^=:\s]+(?:=|: ?)|-{0,2}[\w.-]*(?:auth|key|pass|pwd|secret|token)[\w.-]*=)/i;

// Quoted values and header values may contain blanks.
const inlineSecret =
  /((?:\b(?:Bearer|Basic) |--?[\w-]*(?:key|pass|pwd|secret|token)[\w-]*[ =]|(?:auth|key|pass|pwd|secret|token)[\w.-]{0,60}(?:=|: ))[\\"']*)(?:(?<=: |[\\"'])[^"']*[^"'\\]|[^\s"']+)/gi;

export function findSecretSpans(root: SyntaxNode, text: string): readonly Span[] {
  const spans: Span[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { members, items } = node;
    for (const { name, node: value } of members) {
      if (value.kind === "text" && secretName.test(name)) spans.push(value);
      if (secretMapName.test(name)) spans.push(...value.members.map((member) => member.node));
    }
    items.forEach(({ node: item }, at) => {
      const option = items[at - 1]?.node.value ?? "";
      const isOption = item.value.startsWith("-");
      if (optionWithSecret.test(option) && !option.includes("=") && !isOption) spans.push(item);
    });
    if (node.kind === "text") spans.push(...findInlineSecrets(node, text));
    open.push(...[...members, ...items].map((child) => child.node));
  }
  return spans;
}

function findInlineSecrets({ start, end }: SyntaxNode, text: string): readonly Span[] {
  const source = text.slice(start, end);
  const assigned = assignedSecret.exec(source)?.[0];
  if (assigned !== undefined) return [{ start: start + assigned.length, end }];
  return [...source.matchAll(inlineSecret)].map(({ index, 0: match, 1: lead = "" }) => ({
    start: start + index + lead.length,
    end: start + index + match.length,
  }));
}

// Returns only the text from `start` to `end`. Quotation marks around secrets stay.
export function maskSpans(text: string, { start, end }: Span, spans: readonly Span[]): string {
  let at = start;
  let result = "";
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const [from, to] = [Math.max(span.start, at), Math.min(span.end, end)];
    if (from >= to) continue;
    const secret = text.slice(from, to);
    const [opening = ""] = /^["']?/.exec(secret) ?? [];
    const [closing = ""] = /["']?$/.exec(secret) ?? [];
    result += `${text.slice(at, from)}${opening}${mask}${closing}`;
    at = to;
  }
  return maskSecrets(result + text.slice(at, end));
}
