export const certificateWords: { readonly [code: string]: string } = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted(),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted(),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted(),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted(),
  CERT_HAS_EXPIRED: "its certificate has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
};

/** A reader would otherwise have to look them up. */
const systemErrors: { readonly [code: string]: string } = {
  SQLITE_BUSY: "another process has locked the file",
  SQLITE_CORRUPT: "the file is damaged",
  SQLITE_FULL: "no space left on the disk",
  SQLITE_NOTADB: "the file is damaged",
  SQLITE_READONLY: "the file cannot be written",
  EACCES: "permission denied",
  EADDRINUSE: "another program uses it",
  EADDRNOTAVAIL: "this machine does not have that address",
  EAGAIN: "its reader is too slow",
  EAI_AGAIN: "the name of the host cannot be looked up now",
  EBADF: "it is closed",
  EBUSY: "it is in use",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  EEXIST: "a file of that name exists",
  EHOSTUNREACH: "no route to the host",
  EFBIG: "it would exceed the limit of a file's size",
  EIO: "the device reports an error",
  EISDIR: "it is a directory",
  ELOOP: "it is a symbolic link",
  EMFILE: "too many open files",
  ENAMETOOLONG: "the name is too long",
  ENETUNREACH: "no route to the host",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "part of the path is not a directory",
  ENOTFOUND: "no host of that name",
  not_judged: "the client left before everything was judged",
  ENXIO: "it is a socket, or a pipe without a reader",
  EPERM: "operation not permitted",
  EPIPE: "its reader has closed it",
  EROFS: "the file system is read-only",
  ETIMEDOUT: "no answer in time",
  ...certificateWords,
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not use TLS; write http://",
};

function untrusted(): string {
  return "its certificate is not trusted; name the authority's file in NODE_EXTRA_CA_CERTS";
}

export function inWords(reason: string): string {
  if (Object.hasOwn(systemErrors, reason)) return systemErrors[reason] ?? reason;
  if (reason.startsWith("HPE_")) return "the answer is not valid HTTP";
  return reason.startsWith("ERR_SSL_") ? `TLS failed with ${reason}` : reason;
}

/** Not in `text`, because sentences import no room. */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

export function inputNamed(file: string): string {
  return file === "-" ? "Standard input" : `"${file}"`;
}

export function meant(nearest?: string): string {
  return nearest === undefined ? "" : ` (did you mean ${nearest}?)`;
}

export function inSentence(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
