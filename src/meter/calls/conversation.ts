import type {
  ClientIntroduction,
  Era,
  Implementation,
  ServerIntroduction,
} from "#wire/introduction.ts";

export type Conversation = {
  readonly era: Era | undefined;
  readonly client: Implementation | undefined;
  readonly server: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
  readonly showsPages: boolean;
};

export const strangers: Conversation = {
  era: undefined,
  client: undefined,
  server: undefined,
  protocolVersion: undefined,
  instructions: undefined,
  showsPages: false,
};

/** A handshake after a failed probe overrides the probe: the era is the connection's, not the first message's. */
export function withClient(known: Conversation, client: ClientIntroduction): Conversation {
  return {
    ...known,
    era: client.era,
    client: client.client ?? known.client,
    protocolVersion: client.protocolVersion ?? known.protocolVersion,
    showsPages: client.showsPages,
  };
}

export function withServer(known: Conversation, server: ServerIntroduction): Conversation {
  return {
    ...known,
    server: server.server ?? known.server,
    protocolVersion: server.protocolVersion ?? known.protocolVersion,
    instructions: server.instructions ?? known.instructions,
  };
}
