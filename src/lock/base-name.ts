export type BaseName = { readonly name: string; readonly isFile: boolean };

/** Undefined when invalid. A file begins with `/` or `.` or ends in `.lock`, so no file can pass for a revision. */
export function parseBaseName(raw: string): BaseName | undefined {
  if (/\p{Cc}/u.test(raw)) return undefined;
  if (/^[./]|\.lock$/.test(raw)) return { name: raw, isFile: true };
  return raw.startsWith("-") ? undefined : { name: raw, isFile: false };
}
