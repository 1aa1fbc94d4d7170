import { counted, grouped, inputNamed } from "#kit/errors.ts";

export const countSentences = {
  exactTextTooLong: (file: string, bytesMax: number) =>
    `${inputNamed(file)} is too long to be sent: --exact counts files of at most ${grouped(bytesMax)} bytes`,
  countedExactly: (file: string, maker: string) =>
    `${inputNamed(file)} is a list of tools and is counted as definitions by ${maker}`,
  notUtf8: (file: string) =>
    `${inputNamed(file)} is not valid UTF-8; invalid bytes are counted as U+FFFD`,
  countedAsDefinitions: (file: string, estimator: string, hasFormula: boolean) =>
    `${inputNamed(file)} is a list of tools and is counted as definitions, as in a profile, by ${hasFormula ? "the formula of " : ""}${estimator}`,
  countedAsText: (file: string) =>
    `${inputNamed(file)} is a list of tools and is counted as text; add --model to count its definitions, as in a profile`,
  overLimit: (tokens: number, limit: number) =>
    `The input has ${counted(tokens, "token")}; --limit allows ${grouped(limit)}`,
} as const;
