import { grouped, inputNamed } from "../error-words.ts";

export const exactSentences = {
  exactNeedsModel: () => `--exact requires --model NAME, as in --model claude-opus-5`,
  exactModel: (model: string, makers: string) =>
    `Cannot count exactly for "${model}": only ${makers} have a public counter, for models such as claude-opus-5 and gemini-3-pro`,
  exactKeyMissing: (maker: string, variables: string) =>
    `Cannot ask ${maker} for exact counts: set ${variables}`,
  exactKeyMalformed: (variable: string) =>
    `Cannot use the key in ${variable}: it has characters or a length that no key has`,
  exactUrl: (source: string) =>
    `Cannot send a key to the address in ${source}: it must be an https URL without a password, or an http URL of this machine`,
  exactKeyRejected: (maker: string, variable: string, status: number) =>
    `Cannot get exact counts: ${maker} rejects the key in ${variable} (status ${status})`,
  exactModelUnknown: (maker: string, model: string) =>
    `Cannot get exact counts: ${maker} has no model "${model}"; pass its whole name, such as claude-opus-5 or gemini-3-pro`,
  exactRefused: (maker: string, status: number, message: string) =>
    `Cannot get exact counts: ${maker} answers ${message === "" ? `with status ${status}` : `"${message}" (status ${status})`}`,
  exactFailed: (maker: string, reason: string) =>
    `Cannot get exact counts from ${maker}: ${reason}`,
  exactWaiting: (maker: string, seconds: number) =>
    `Waiting ${seconds} s, because ${maker} limits requests or is overloaded`,
  exactTextTooLong: (file: string, bytesMax: number) =>
    `${inputNamed(file)} is too long to be sent: --exact counts files of at most ${grouped(bytesMax)} bytes`,
  countedExactly: (file: string, maker: string) =>
    `${inputNamed(file)} is a list of tools and is counted as definitions by ${maker}`,
  profileCounter: (file: string, before: string, asked: string) =>
    `Cannot compare with the profile "${file}": its definitions were counted by ${before}, those of this run by ${asked}`,
} as const;
