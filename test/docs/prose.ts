export type Prose = { readonly line: number; readonly text: string };

type Token = { readonly kind: "comment" | "literal"; readonly at: number; readonly text: string };

const tokens =
  /(?<comment>\/\*[^]*?\*\/|\/\/[^\n]*)|(?<regex>(?<=(?:[(,=:[!&|?{};\n]|return)\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\n\\])*\]|[^/\n\\])+\/[a-z]*)|(?<literal>"(?:\\.|[^"\n\\])*"|'(?:\\.|[^'\n\\])*'|`(?:\\.|[^`\\])*`)/g;

function tokensOf(source: string): Token[] {
  return [...source.matchAll(tokens)].flatMap(({ groups = {}, index }): Token[] => {
    const { comment, literal } = groups;
    if (comment !== undefined) return [{ kind: "comment", at: index, text: comment }];
    return literal === undefined ? [] : [{ kind: "literal", at: index, text: literal }];
  });
}

export function proseOfSource(source: string): Prose[] {
  const found = tokensOf(source).map(({ kind, at, text }, index, all) => {
    // Lines of `//` one below the other are one comment.
    const before = all[index - 1];
    const gap = before === undefined ? "" : source.slice(before.at + before.text.length, at);
    const isContinued =
      text.startsWith("//") && before?.text.startsWith("//") === true && /^\s*$/.test(gap);
    const plain = kind === "comment" ? withoutFrame(text) : withoutHoles(text);
    return { line: lineOf(source, at), text: collapsed(plain), kind, isContinued };
  });
  const joined: { line: number; text: string; kind: Token["kind"] }[] = [];
  for (const { isContinued, ...one } of found) {
    const last = joined.at(-1);
    if (isContinued && last) last.text = `${last.text} ${one.text}`;
    else joined.push(one);
  }
  return joined
    .filter(
      ({ kind, text }) => kind === "comment" || /\p{L}+\P{L}+\p{L}+\P{L}+\p{L}{2}/u.test(text),
    )
    .map(({ line, text }) => ({ line, text }));
}

function withoutFrame(comment: string): string {
  return comment.replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, "");
}

function withoutHoles(literal: string): string {
  return literal.slice(1, -1).replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "X");
}

export function proseOfSchema(source: string): Prose[] {
  return [...source.matchAll(/"(?:description|title)":\s*"((?:\\.|[^"\\])*)"/g)].map(
    ({ index, 1: text = "" }) => ({ line: lineOf(source, index), text: collapsed(text) }),
  );
}

export function proseOfDocument(source: string): Prose[] {
  const blanked = source.replaceAll(/^( *)(```+)[^]*?^\1\2 *$/gm, (block) =>
    block.replaceAll(/[^\n]/g, ""),
  );
  const blocks = [...blanked.matchAll(/(?:^.+\n?)+/gm)];
  return blocks.flatMap(({ 0: block, index }) => {
    const parts = block.split(/\n(?=\s*(?:[-*]|\d+\.) |\|)|(?<!\\)\|/);
    let at = index;
    return parts.map((part) => {
      const line = lineOf(source, blanked.indexOf(part, at));
      at += part.length;
      return { line, text: collapsed(part) };
    });
  });
}

function collapsed(text: string): string {
  return text
    .replaceAll(/`[^`]*`/g, "X")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function lineOf(source: string, at: number): number {
  return source.slice(0, at).split("\n").length;
}
