import { usualId } from "#cost/clients/common.ts";

/** The folders of one session. */
export type Folders = { readonly home: string; readonly work: string; readonly tmp: string };

const usualHome = "/home/user";
const usualWork = `${usualHome}/projects/example-organisation-application`;

const randomId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/**
 * A text with the folders of a session replaced by a user's ordinary ones, also where a client writes them with
 * dashes, and with random ids replaced by one of the usual number of tokens: neither says anything about a client.
 */
export function withUsualPaths(text: string, { home, work, tmp }: Folders): string {
  return text
    .replaceAll(work, usualWork)
    .replaceAll(dashed(work), dashed(usualWork))
    .replaceAll(home, usualHome)
    .replaceAll(dashed(home), dashed(usualHome))
    .replaceAll(tmp, "/tmp")
    .replaceAll(randomId, usualId);
}

function dashed(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, "-");
}
