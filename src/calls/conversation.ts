import {
  introducedClient,
  introducedServer,
  type Era,
  type Implementation,
} from "#wire/introduction.ts";

/** Who talks to whom, as far as the messages told. */
export type Conversation = {
  readonly era: Era | undefined;
  readonly client: Implementation | undefined;
  readonly server: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
};

export const strangers: Conversation = {
  era: undefined,
  client: undefined,
  server: undefined,
  protocolVersion: undefined,
  instructions: undefined,
};

/**
 * What a request adds to what is known. A handshake after a probe that failed overrides the probe: the
 * era is the connection's, not the first message's.
 */
export function afterRequest(known: Conversation, method: string, params: unknown): Conversation {
  const told = introducedClient(method, params);
  if (!told) return known;
  return {
    ...known,
    era: told.era,
    client: told.client ?? known.client,
    protocolVersion: told.protocolVersion ?? known.protocolVersion,
  };
}

/** What an answer adds. */
export function afterResult(known: Conversation, method: string, result: unknown): Conversation {
  const told = introducedServer(method, result);
  if (!told) return known;
  return {
    ...known,
    server: told.server ?? known.server,
    protocolVersion: told.protocolVersion ?? known.protocolVersion,
    instructions: told.instructions ?? known.instructions,
  };
}
