import { root } from "../house/tree.ts";

type Sentence = (...words: never[]) => string;

export async function allSentences(): Promise<readonly (readonly [name: string, Sentence])[]> {
  const found: [string, Sentence][] = [];
  for (const file of await filesWithSentences()) {
    const module: Readonly<Record<string, object>> = await import(`${root}/${file}`);
    const tables = Object.entries(module).filter(([name]) => name.endsWith("Sentences"));
    for (const [, table] of tables) found.push(...Object.entries(table));
  }
  return found;
}

async function filesWithSentences(): Promise<string[]> {
  const found: string[] = [];
  for (const file of new Bun.Glob("src/**/*.ts").scanSync(root)) {
    const text = await Bun.file(`${root}/${file}`).text();
    if (!file.includes("/page/") && /^export const \w+Sentences = /m.test(text)) found.push(file);
  }
  return found.toSorted();
}
