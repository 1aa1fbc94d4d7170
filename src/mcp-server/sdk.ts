/** The parts of the server of SDK 2.x that are used here. */
export {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type Transport,
} from "@modelcontextprotocol/server";
export { serveStdio } from "@modelcontextprotocol/server/stdio";
