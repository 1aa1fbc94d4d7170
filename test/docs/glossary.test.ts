import { describe, expect, test } from "bun:test";
import { readHouse } from "../house/tree.ts";
import { documents, readDocument, section, tableRows } from "./documents.ts";

const glossary = readDocument("docs/GLOSSARY.md");
const rows = tableRows(section(glossary, "# Glossary"));
const terms = rows.map(([term = ""]) => term);
const synonyms = rows.flatMap(([, , avoided = ""]) =>
  avoided
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "" && word !== "–"),
);

const wanted =
  "line message call result exchange lane estimator confidence budget counter breach action verdict " +
  "record ledger summary sink lock drift host fault";

describe("GLOSSARY", () => {
  test("defines every field term, once, in alphabetical order", () => {
    expect(terms).toEqual([...new Set(terms)].toSorted());
    expect(wanted.split(" ").filter((term) => !terms.includes(term))).toEqual([]);
  });

  test("defines only terms that the code uses", () => {
    const said = Object.values(readHouse()).join("\n").toLowerCase();
    expect(terms.filter((term) => !said.includes(term))).toEqual([]);
  });

  test("the documents use no synonym", () => {
    const found = documents()
      .filter((path) => /^(?:README|docs\/(?:ARCHITECTURE|records|budgets|adr\/00))/.test(path))
      .flatMap((path) =>
        synonyms
          .filter((word) => new RegExp(`\\b${word}s?\\b`, "i").test(readDocument(path)))
          .map((word) => `${path}: says "${word}"`),
      );
    expect(found).toEqual([]);
  });
});
