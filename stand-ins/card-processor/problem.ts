// A refused request, in the wire format.
import type { Answer } from './wire.ts';

export interface ProblemBody {
  type: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
}

/** Thrown when a request cannot be served; its changes are rolled back. */
export class Problem extends Error {
  readonly answer: Answer;

  constructor(status: number, error: ProblemBody) {
    super(error.message);
    this.answer = { status, body: { error } };
  }
}

/** Builds the refusal of a parameter. */
export function badParameter(param: string, message: string, code?: string): Problem {
  return new Problem(400, { type: 'invalid_request_error', message, param, ...(code === undefined ? {} : { code }) });
}

/** Builds the refusal of an unknown id. */
export function missing(kind: string, id: string, param = 'id', status = 404): Problem {
  return new Problem(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** Builds the refusal of a request that the object's status does not allow. */
export function wrongState(code: string, message: string): Problem {
  return new Problem(400, { type: 'invalid_request_error', code, message });
}
