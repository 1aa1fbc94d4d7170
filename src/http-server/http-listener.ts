import { type Answerer, ClientConnection } from "./client-connection.ts";

/** A port of this machine at which requests are answered. */
export type HttpListener = {
  readonly port: number;
  /** Listens no more, and breaks off all connections. */
  readonly close: () => void;
};

/** Listens at a port of this machine, 0 for a free one. Throws an error with a code for one that is taken. */
export function listenForHttp(port: number, answerer: Answerer): HttpListener {
  const connections = new Set<Bun.Socket<ClientConnection>>();
  const listener = Bun.listen<ClientConnection>({
    hostname: "127.0.0.1",
    port,
    // Without it, another program could have the same port.
    exclusive: true,
    socket: {
      open: (socket) => {
        socket.data = new ClientConnection(answerer, socket);
        connections.add(socket);
      },
      data: ({ data: connection }, bytes) => connection.received(bytes),
      drain: ({ data: connection }) => connection.drained(),
      timeout: ({ data: connection }) => connection.timedOut(),
      end: ({ data: connection }) => connection.closed(),
      close: (socket) => {
        connections.delete(socket);
        socket.data.closed();
      },
      error: ({ data: connection }) => connection.closed(),
    },
  });
  return {
    port: listener.port,
    close: () => {
      listener.stop();
      for (const socket of connections) socket.terminate();
    },
  };
}
