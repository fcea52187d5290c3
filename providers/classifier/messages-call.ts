// One call to a language model through the Messages protocol: the model must fill in the one tool it is given.
// Neither the key nor the provider's error text leaves this file.
import { z } from 'zod';
import { CallFault, sendCall } from '../provider-call.ts';

export interface LanguageModelConfig {
  apiKey: string;
  baseUrl: string;
  model: string;
}

export interface ModelQuestion {
  /** Our rules for the model. */
  instructions: string;
  /** Text written by strangers, marked as such. */
  material: string;
  /** What to fill in, as JSON Schema. */
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
/** The limits of an answer. */
const ANSWER_MAX_TOKENS = 2_000;
const ANSWER_MAX_BYTES = 262_144;

const MessageSchema = z.object({
  stop_reason: z.literal('tool_use'),
  content: z.array(z.looseObject({ type: z.string(), name: z.string().optional(), input: z.unknown() })),
});

/** Statuses that a document may cause: words that the provider does not accept, or too many of them. */
const OF_THE_DOCUMENT = [400, 413, 422];
/** A later call may succeed; any other status means that our key or the model's name is wrong. */
const PASSING = [408, 425, 429];

/** Returns what the model filled in, still unchecked. @throws NoAnswer */
export async function askModel(config: LanguageModelConfig, question: ModelQuestion): Promise<unknown> {
  const response = await sendCall({
    url: new URL('/v1/messages', config.baseUrl),
    method: 'POST',
    headers: { 'x-api-key': config.apiKey, 'anthropic-version': PROTOCOL_VERSION },
    body: requestOf(config, question),
    ...{ timeoutMs: question.timeoutMs, maxBytes: ANSWER_MAX_BYTES },
  }).catch((error: unknown) => {
    if (!(error instanceof CallFault)) throw error;
    throw new NoAnswer(error.reason === 'too_large' ? 'unusable' : error.reason);
  });
  if (!response.ok) throw new NoAnswer(reasonOf(response.status));
  return filledIn(await response.json().catch(() => null));
}

function reasonOf(status: number): NoAnswer['reason'] {
  if (OF_THE_DOCUMENT.includes(status)) return 'unusable';
  return status >= 500 || PASSING.includes(status) ? 'away' : 'refused';
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
