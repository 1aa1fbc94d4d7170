import type { JsonObject } from "#wire/json.ts";
import type { MemberChanges } from "#wrapping/conversion.ts";
import type { RemoteFault, RemoteRule } from "./remote-rules.ts";
import { remoteTarget, urlFault } from "./remote-target.ts";

/** A remote entry whose client can reach the server through `serve`. */
export type ServedEntry = {
  readonly url: string;
  /** The change by which its client uses another address: headers and all other members stay. */
  readonly changesTo: (address: string) => MemberChanges;
};

/** The entry of a remote server for `serve`, which speaks Streamable HTTP and no OAuth. */
export function servedEntry(entry: JsonObject, rule: RemoteRule): ServedEntry | RemoteFault {
  const target = remoteTarget(entry, rule);
  if ("refusal" in target) return target;
  const { member, url, transport } = target;
  if (transport === "sse") return { refusal: "sse" };
  const oauth = Object.keys(entry).find((name) => isOauth(name) && entry[name] !== false);
  if (oauth !== undefined) return { refusal: "oauth", subject: oauth };
  const fault = urlFault(url);
  if (fault !== undefined) return { refusal: fault };
  return {
    url,
    changesTo: (address) => {
      return { renamed: [], inner: [], replaced: [], values: [{ of: member, to: address }] };
    },
  };
}

/** The names of clients for it: `oauth`, `auth`, `authProviderType`, `oauth_resource`, `requiresOAuth`, `scopes` and the like. */
function isOauth(name: string): boolean {
  return /oauth|^auth|audience|^scopes$/i.test(name);
}
