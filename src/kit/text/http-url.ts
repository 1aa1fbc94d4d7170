import { attempt } from "../errors.ts";

export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

type UrlAndCredentials = { readonly url: URL; readonly authorization: string | undefined };

export function extractCredentials(source: URL): UrlAndCredentials {
  const { username, password } = source;
  const url = new URL(source);
  url.username = "";
  url.password = "";
  url.hash = "";
  if (username === "" && password === "") return { url, authorization: undefined };
  const credentials = Buffer.from(`${decodePercent(username)}:${decodePercent(password)}`).toString(
    "base64",
  );
  return { url, authorization: `Basic ${credentials}` };
}

function decodePercent(text: string): string {
  // Some passwords have a percent sign that encodes nothing.
  return attempt(() => decodeURIComponent(text), text);
}

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text);
}
