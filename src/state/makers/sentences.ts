export const makerSentences = {
  exactKeyMissing: (maker: string, variables: string) =>
    `Cannot ask ${maker} for exact counts: set ${variables}`,
  exactKeyMalformed: (variable: string) =>
    `Cannot use the key in ${variable}: it does not look like an API key`,
  exactUrlUnsafe: (variable: string) =>
    `Cannot send a key to the address in ${variable}: it must be an https URL without a password, or an http URL on this machine`,
  exactKeyRejected: (maker: string, variable: string, status: number) =>
    `Cannot get exact counts: ${maker} rejects the key in ${variable} (status ${status})`,
  exactModelUnknown: (maker: string, model: string) =>
    `Cannot get exact counts: ${maker} has no model "${model}"; pass its full name, such as claude-opus-5 or gemini-3-pro`,
  exactRefused: (maker: string, status: number, message: string) =>
    `Cannot get exact counts: ${maker} answers ${message === "" ? `with status ${status}` : `"${message}" (status ${status})`}`,
  exactFailed: (maker: string, reason: string) =>
    `Cannot get exact counts from ${maker}: ${reason}`,
} as const;
