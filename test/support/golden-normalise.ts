type Replacement = { readonly pattern: RegExp; readonly by: (found: string) => string };

const goldenFolder = "/srv/garden";

const timestamp = "2026-09-01T12:00:00.000Z";
const clock = "12:00:00 PM";

function numbered(): Replacement["by"] {
  const seen = new Map<string, number>();
  return (found) => {
    const number = seen.get(found) ?? seen.size + 1;
    seen.set(found, number);
    return number.toString().padStart(found.length, "0");
  };
}

export function normaliser(directory: string): (line: string) => string {
  const replacements: readonly Replacement[] = [
    { pattern: new RegExp(RegExp.escape(directory), "gu"), by: () => goldenFolder },
    { pattern: /\b[0-9a-f]{32}\b/gu, by: numbered() },
    { pattern: /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu, by: () => timestamp },
    { pattern: /\b\d{1,2}:\d\d:\d\d [AP]M\b/gu, by: () => clock },
  ];
  return (line) => replacements.reduce((text, { pattern, by }) => text.replace(pattern, by), line);
}
