/** System error codes that a reader would otherwise have to look up. */
const systemErrors: { readonly [code: string]: string } = {
  SQLITE_BUSY: "another process has locked them",
  SQLITE_CORRUPT: "the file is damaged",
  SQLITE_FULL: "no space left on the disk",
  SQLITE_NOTADB: "the file is damaged",
  SQLITE_READONLY: "the file cannot be written",
  EACCES: "permission denied",
  EAGAIN: "its reader is too slow",
  EBADF: "it is closed",
  EBUSY: "it is in use",
  EEXIST: "a file of that name exists",
  EFBIG: "it would exceed the limit of a file's size",
  EIO: "the device reports an error",
  EISDIR: "it is a directory",
  ELOOP: "it is a symbolic link",
  EMFILE: "too many open files",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "part of the path is not a directory",
  ENXIO: "it is a socket, or a pipe without a reader",
  EPERM: "operation not permitted",
  EROFS: "the file system is read-only",
};

/** Reasons of OpenSSL for which a certificate is rejected. */
export const certificateWords: { readonly [code: string]: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted(),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted(),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted(),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted(),
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
};

function untrusted(): string {
  return "its certificate is not trusted; name the authority's file in NODE_EXTRA_CA_CERTS";
}

/** A system error's code in words; any other reason as it is. */
export function inWords(reason: string): string {
  return Object.hasOwn(systemErrors, reason) ? (systemErrors[reason] ?? reason) : reason;
}

/** A number with commas between thousands. Here rather than in `text`, because sentences import no room. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** An input of `count` by its name; `-` is stdin. */
export function inputNamed(file: string): string {
  return file === "-" ? "Standard input" : `"${file}"`;
}

/** A suggestion, where there is one. */
export function meant(nearest?: string): string {
  return nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
}

/** A sentence as it stands behind a colon. */
export function inSentence(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** `1 line`, `2,000 lines`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
