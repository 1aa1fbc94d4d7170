// Shorter values, such as `main`, may occur in any text by chance.
export const secretCharactersMin = 8;

export const mask = "***";

const urlPassword = /(\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s/?#@:]*:)[^\s/?#]*@/gi;

const querySecret = /([?&][^\s=&#?]{0,60}?(?:auth|key|pass|password|secret|token)=)[^\s&#"]+/gi;

export function maskSecrets(text: string): string {
  return text.replaceAll(urlPassword, `$1${mask}@`).replaceAll(querySecret, `$1${mask}`);
}
