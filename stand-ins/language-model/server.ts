// The local language model: a small server, on the loopback address alone, that speaks the Messages protocol and
// fills in the request's tool with the input that the test has set. It keeps everything in memory.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface LanguageModelCall {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: { model: string; max_tokens: number; system: string; tools: object[]; messages: object[] };
}

/** What it answers: the tool input, or another response instead; `null` for no response. */
export type Saying = { input: unknown } | { status: number; body: string } | null;

export interface LocalLanguageModel {
  /** Without a trailing slash. */
  url: string;
  /** The calls received, oldest first. */
  calls: LanguageModelCall[];
  say(saying: Saying): void;
  close(): Promise<void>;
}

/** Starts the server; the caller closes it. */
export async function startLanguageModel({ apiKey }: { apiKey: string }): Promise<LocalLanguageModel> {
  const calls: LanguageModelCall[] = [];
  let saying: Saying = { input: { type: 'other', confidence: 0.5, values: {} } };
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request));
    const isKnown = request.headers['x-api-key'] === apiKey && request.url === '/v1/messages';
    calls.push({ headers: request.headers, body });
    if (isKnown && saying === null) return;
    const answer = isKnown && saying !== null ? answerOf(saying, body.model) : { status: 401, body: refused };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    say: (given) => {
      saying = given;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refused = JSON.stringify({
  type: 'error',
  error: { type: 'authentication_error', message: 'invalid x-api-key' },
});

function answerOf(saying: NonNullable<Saying>, model: string): { status: number; body: string } {
  if ('status' in saying) return saying;
  const content = [{ type: 'tool_use', id: 'toolu_1', name: 'record_document', input: saying.input }];
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content, stop_reason: 'tool_use' };
  return { status: 200, body: JSON.stringify({ ...message, usage: { input_tokens: 900, output_tokens: 90 } }) };
}
