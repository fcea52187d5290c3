// Records what the tests send and what the platform answers, for `npm run examples`: one line of JSON per exchange.
import { appendFileSync } from 'node:fs';

/** Names the file that collects a run's exchanges. Without it nothing is recorded. */
export const EXCHANGES_VARIABLE = 'BINDERY_TEST_EXCHANGES';

const LONGEST_CHARACTERS = 100_000;

export interface Exchange {
  /** In capitals. */
  method: string;
  /** Without the server's address and the query. */
  path: string;
  status: number;
  /** Media type of the answer without parameters; empty for an answer without a body. */
  type: string;
  /** The request as JSON; null for anything else. */
  request: unknown;
  /** Text of the answer, as received. */
  text: string;
}

/** Appends an exchange to the run's file. */
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
