import { sentences } from "#kit/errors.ts";
import { root } from "../house/tree.ts";

type Sentence = (...words: never[]) => string;

/** Those of every folder; a sentence next to its only user is found by its file's text alone. */
export async function allSentences(): Promise<readonly (readonly [name: string, Sentence])[]> {
  const files = Array.from(new Bun.Glob("src/**/sentences.ts").scanSync(root));
  const found: [string, Sentence][] = Object.entries(sentences);
  for (const file of files.filter((name) => !name.includes("/page/")).toSorted()) {
    const module: Readonly<Record<string, object>> = await import(`${root}/${file}`);
    const tables = Object.entries(module).filter(([name]) => name.endsWith("Sentences"));
    for (const [, table] of tables) found.push(...Object.entries(table));
  }
  return found;
}
