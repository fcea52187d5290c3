// Keeps what the tests send and what the platform answers, for `npm run examples`: one line of JSON an exchange.
import { appendFileSync } from 'node:fs';

/** Names the file that the exchanges of a run are added to. Without it nothing is kept. */
export const EXCHANGES_VARIABLE = 'BINDERY_TEST_EXCHANGES';

const LONGEST_CHARACTERS = 100_000;

export interface Exchange {
  /** In capitals. */
  method: string;
  /** Without the address of the server and the query. */
  path: string;
  status: number;
  /** Media type of the answer without parameters; empty for an answer without a body. */
  type: string;
  /** What was sent as JSON; null for anything else. */
  request: unknown;
  /** Text of the answer, as it came. */
  text: string;
}

/** Adds an exchange to the file of the run. */
export function keepExchange(method: string, url: URL, sent: unknown, response: Response, text: string): void {
  const file = process.env[EXCHANGES_VARIABLE];
  if (file === undefined || text.length > LONGEST_CHARACTERS) return;
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  const exchange: Exchange = {
    ...{ method, path: url.pathname, status: response.status, type },
    ...{ request: jsonIn(sent), text },
  };
  appendFileSync(file, `${JSON.stringify(exchange)}\n`);
}

function jsonIn(sent: unknown): unknown {
  if (typeof sent !== 'string') return null;
  try {
    return JSON.parse(sent);
  } catch {
    return null;
  }
}
