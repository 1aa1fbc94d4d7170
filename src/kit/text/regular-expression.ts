import { RE2JS, RE2JSSyntaxException } from "re2js";
import { quote } from "./schema-mismatch.ts";

export type Pattern = { readonly occursIn: (text: string) => boolean };

// RE2 takes linear time for any pattern.
export function compilePattern(
  source: string,
): { readonly pattern: Pattern } | { readonly fault: string } {
  try {
    const compiled = RE2JS.compile(source);
    return { pattern: { occursIn: (text) => compiled.matcher(text).find() } };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) return { fault: String(error) };
    const fragment = error.getPattern();
    return {
      fault: `${error.getDescription()}${fragment === null ? "" : ` in ${quote(fragment)}`}`,
    };
  }
}
