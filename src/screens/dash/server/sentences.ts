import { inWords } from "#kit/error-words.ts";

export const dashServerSentences = {
  dashPortTaken: (port: number, reason: string) =>
    `Cannot serve the page on port ${port}: ${inWords(reason)}; choose another --port, or leave it out for a free one`,
  dashChoiceUnknown: () => "This address does not name a screen of the page",
  dashHostForbidden: () => "This host name is not the page's own",
  dashOriginForbidden: () => "Another page sent this request",
  dashTokenMissing: () =>
    "Open the address that mcp-meter dash printed: it has the key to this page",
  dashMethodForbidden: () => "The page is read only",
  dashAddressTooLong: () => "This address is too long",
  dashPathUnknown: () => "There is nothing at this path",
  dashFailed: () => "The page failed; the terminal of mcp-meter dash has the reason",
  dashBusy: () => "Too many pages are open; close one",
} as const;
