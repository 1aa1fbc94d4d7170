import { RE2JS, RE2JSSyntaxException } from "re2js";
import { quote } from "./schema-words.ts";

/** A compiled regular expression. */
export type Pattern = {
  /** True when some part of the text matches, in time linear in its length. */
  readonly isIn: (text: string) => boolean;
};

/**
 * Compiles a regular expression in the syntax of RE2: that of JavaScript without backreferences and lookaround, which no
 * engine matches in linear time. Gives the fault as a clause.
 */
export function compilePattern(
  source: string,
): { readonly pattern: Pattern } | { readonly fault: string } {
  try {
    const compiled = RE2JS.compile(source);
    return { pattern: { isIn: (text) => compiled.matcher(text).find() } };
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) return { fault: String(error) };
    const part = error.getPattern();
    return { fault: `${error.getDescription()}${part === null ? "" : ` in ${quote(part)}`}` };
  }
}
