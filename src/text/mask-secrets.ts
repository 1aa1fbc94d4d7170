/** Stands for a secret. */
export const mask = "***";

/** The password of a URL: `redis://user:word@host`. */
const urlPassword = /(\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#@:]*:)[^\s/?#]*@/gi;

/** A secret in the query of a URL: `?token=word`. */
const querySecret = /([?&][^\s=&#?]{0,60}?(?:auth|key|pass|password|secret|token)=)[^\s&#"]+/gi;

/** The text with `***` in place of passwords and other secrets of the URLs in it. */
export function maskSecrets(text: string): string {
  return text.replaceAll(urlPassword, `$1${mask}@`).replaceAll(querySecret, `$1${mask}`);
}
