export { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
export { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
