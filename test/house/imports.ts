export type Import = { readonly specifier: string; readonly line: number };

const importing = /\b(?:from|import)\s*\(?\s*"([^"\s]+)"/g;

export function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "))
    .replaceAll(/^\s*\/\/.*$/gm, "")
    .replaceAll(/\s\/\/ .*$/gm, "");
}

export function importsOf(text: string): Import[] {
  const code = withoutComments(text);
  return [...code.matchAll(importing)].map((found) => ({
    specifier: found[1] ?? "",
    line: code.slice(0, found.index).split("\n").length,
  }));
}

export function packageOf(specifier: string): string | undefined {
  if (/^[.#]/.test(specifier) || /^(?:node|bun):/.test(specifier) || specifier === "bun") {
    return undefined;
  }
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
