// One call of a language model by the Messages protocol: the model must fill in the one tool that it is given. Neither
// the key nor what the provider says leaves this file.
import { z } from 'zod';

export interface LanguageModelConfig {
  apiKey: string;
  baseUrl: string;
  model: string;
}

export interface ModelQuestion {
  /** Our rules for the model. */
  instructions: string;
  /** What strangers have written, marked as such. */
  material: string;
  /** What is to be filled in, as JSON Schema. */
  shape: object;
  timeoutMs: number;
}

/** Why there is no answer. */
export class NoAnswer extends Error {
  readonly reason: 'away' | 'refused' | 'too_slow' | 'unusable';

  constructor(reason: NoAnswer['reason']) {
    super(reason);
    this.name = 'NoAnswer';
    this.reason = reason;
  }
}

const TOOL = 'record_document';
const PROTOCOL_VERSION = '2023-06-01';
/** What an answer may cost. */
const ANSWER_MAX_TOKENS = 2_000;
const ANSWER_MAX_BYTES = 262_144;

const MessageSchema = z.object({
  stop_reason: z.literal('tool_use'),
  content: z.array(z.looseObject({ type: z.string(), name: z.string().optional(), input: z.unknown() })),
});

/** Gives what the model has filled in, which is not checked yet. @throws NoAnswer */
export async function askModel(config: LanguageModelConfig, question: ModelQuestion): Promise<unknown> {
  const { baseUrl, apiKey } = config;
  const signal = AbortSignal.timeout(question.timeoutMs);
  try {
    const response = await fetch(new URL('/v1/messages', baseUrl), {
      ...{ method: 'POST', redirect: 'error', signal, body: JSON.stringify(requestOf(config, question)) },
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, 'anthropic-version': PROTOCOL_VERSION },
    });
    if (!response.ok) throw new NoAnswer(response.status >= 500 || response.status === 429 ? 'away' : 'refused');
    return filledIn(JSON.parse(await boundedText(response)));
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer(signal.aborted ? 'too_slow' : error instanceof SyntaxError ? 'unusable' : 'away');
  }
}

function requestOf({ model }: LanguageModelConfig, { instructions, material, shape }: ModelQuestion) {
  return {
    ...{ model, max_tokens: ANSWER_MAX_TOKENS, temperature: 0, system: instructions },
    tools: [{ name: TOOL, description: 'Records what a document is and what it says.', input_schema: shape }],
    tool_choice: { type: 'tool', name: TOOL },
    messages: [{ role: 'user', content: [{ type: 'text', text: material }] }],
  };
}

function filledIn(answer: unknown): unknown {
  const message = MessageSchema.safeParse(answer).data;
  const block = message?.content.find(({ type, name }) => type === 'tool_use' && name === TOOL);
  if (!block) throw new NoAnswer('unusable');
  return block.input;
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > ANSWER_MAX_BYTES) throw new NoAnswer('unusable');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
