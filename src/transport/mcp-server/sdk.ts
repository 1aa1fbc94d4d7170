/** The parts of the server of SDK 2.x that are used here. */
export { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
export { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
