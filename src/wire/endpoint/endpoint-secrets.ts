import { secretCharactersMin } from "#kit/limits.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

/** Header values, with and without scheme, and values of the URL's query, by a name for each. Below `secretCharactersMin` they occur by chance and stay. */
export function endpointSecrets({ url, headers }: McpEndpoint): ReadonlyMap<string, string> {
  const found = [
    ...headers.flatMap(([name, value]) => headerSecrets(name, value)),
    ...[...url.searchParams].map(([name, value]) => [name, value] as const),
  ];
  return new Map(
    found
      .filter(([, value]) => value.length >= secretCharactersMin)
      // Of two values with one name, both are secrets.
      .map(([name, value], at, all) => {
        const before = all.slice(0, at).filter(([other]) => other === name).length;
        return [before === 0 ? name : `${name}_${before + 1}`, value];
      }),
  );
}

/** Includes the last word after a scheme; for Basic also the password. */
function headerSecrets(name: string, value: string): readonly (readonly [string, string])[] {
  const words = value.trim().split(/\s+/);
  const last = words.at(-1) ?? "";
  const isBasic = words.length === 2 && words[0]?.toLowerCase() === "basic";
  const [, password = ""] = isBasic ? split(Buffer.from(last, "base64").toString()) : [];
  return [
    [name, value.trim()],
    ...(words.length > 1 ? [[name, last] as const] : []),
    ...(password === "" ? [] : [["password", password] as const]),
  ];
}

function split(text: string): readonly [string, string] {
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
