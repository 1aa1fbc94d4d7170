export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

type OpenUrl = { readonly url: URL; readonly authorization: string | undefined };

/** A percent sign that encodes nothing stands for itself. */
export function withoutCredentials(given: URL): OpenUrl {
  const { username, password } = given;
  const url = new URL(given);
  url.username = "";
  url.password = "";
  url.hash = "";
  if (username === "" && password === "") return { url, authorization: undefined };
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  return { url, authorization: `Basic ${credentials}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Meant as a URL of HTTP, well-formed or not. */
export function isUrlOfHttp(word: string): boolean {
  return /^https?:\/\//i.test(word);
}
