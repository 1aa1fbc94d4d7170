import { plainReads, refusal, testReads } from "../../../support/client-reads.ts";

testReads(
  "Visual Studio Code",
  {},
  {
    ...plainReads,
    "different halves": ['{"city":"Oslo","temp":3}'],
    "an image beside structured content": ["image 640×480", '{"city":"Oslo","temp":3}'],
    "text for the user alone": ["Two rows"],
    "a tool error with structured content": ['{"code":7}'],
    "a JSON-RPC error": ["MCP error -32602: Unknown city"],
    "a refusal as a JSON-RPC error": [`MCP error -31900: ${refusal}`],
  },
);
