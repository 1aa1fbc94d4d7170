export type AskedRequest = {
  readonly path: string;
  readonly headers: Headers;
  readonly body: {
    readonly model?: string;
    readonly messages?: readonly { readonly content: string }[];
    readonly tools?: readonly object[];
    readonly generateContentRequest?: {
      readonly model: string;
      readonly contents: readonly { readonly parts: readonly { readonly text: string }[] }[];
      readonly tools?: readonly { readonly functionDeclarations: readonly object[] }[];
    };
  };
};

export const imitatedPerList = 300;

const imitatedTool = (tool: object): number => JSON.stringify(tool).length;

/** The counters of Anthropic and Google on loopback: 7 tokens a message, a constant for tools, one a character. */
export class ImitatedMaker implements Disposable {
  readonly asked: AskedRequest[] = [];
  readonly #server: Bun.Server<undefined>;

  constructor(
    answer: (asked: AskedRequest, at: number) => Response | Promise<Response> | undefined = () =>
      undefined,
  ) {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const { pathname: path } = new URL(request.url);
        const asked = { path, headers: request.headers, body: JSON.parse(await request.text()) };
        this.asked.push(asked);
        return (await answer(asked, this.asked.length - 1)) ?? countAnswer(asked);
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

function countAnswer({ path, body }: AskedRequest): Response {
  const { generateContentRequest: google } = body;
  if (google === undefined) {
    const text = body.messages?.[0]?.content ?? "";
    return Response.json({ input_tokens: tokensOf(text, body.tools) });
  }
  if (!path.endsWith(":countTokens")) return new Response("", { status: 404 });
  const text = google.contents[0]?.parts[0]?.text ?? "";
  return Response.json({ totalTokens: tokensOf(text, google.tools?.[0]?.functionDeclarations) });
}

function tokensOf(text: string, tools: readonly object[] | undefined): number {
  const message = 7 + text.length;
  if (!tools) return message;
  return tools.reduce((sum, tool) => sum + imitatedTool(tool), message + imitatedPerList);
}
