/** A base to compare with, as the user named it: a lock file, or a revision of git. */
export type BaseName = { readonly name: string; readonly isFile: boolean };

/**
 * The base of that name; undefined when it can be neither. A file begins with `/` or a dot, or ends with `.lock`, as no
 * revision does: no file of a pull request can stand in for a revision. A revision must not look like an option of git.
 */
export function parseBaseName(raw: string): BaseName | undefined {
  if (/\p{Cc}/u.test(raw)) return undefined;
  if (/^[./]|\.lock$/.test(raw)) return { name: raw, isFile: true };
  return raw.startsWith("-") ? undefined : { name: raw, isFile: false };
}
