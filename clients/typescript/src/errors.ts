// The platform's refusals, as errors with the code, the facts and the request id.
import type { Error as ErrorBody } from './api.generated.ts';

export type ErrorCode = ErrorBody['error'];

/** The body of an error by its code. An index, unlike `Extract`, lets `is` narrow a value already known as an error. */
type BodyOf<Code extends ErrorCode> = { [Body in ErrorBody as Body['error']]: Body }[Code];

/** An unsuccessful answer. `message` is for people, `code` for programs. */
export class BinderyError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'BinderyError';
  /** HTTP status. */
  readonly status: number;
  readonly code: Code;
  /** Facts about the error; they depend on the code. */
  readonly details: BodyOf<Code>['details'];
  /** Quote it when you ask for help. */
  readonly requestId: string;

  constructor(status: number, body: BodyOf<Code>) {
    super(body.message);
    this.status = status;
    this.code = body.error as Code;
    this.details = body.details as BodyOf<Code>['details'];
    this.requestId = body.requestId;
  }

  /** Narrows a caught value to an error with this code, so that its `details` are typed. */
  static is<Code extends ErrorCode>(error: unknown, code: Code): error is BinderyError<Code> {
    return error instanceof BinderyError && error.code === code;
  }
}

/** Reads the refusal from an answer. A proxy in front of the platform may answer with a different body. */
export async function refusalOf(response: Response): Promise<BinderyError> {
  const text = await response.text();
  const body = errorBodyIn(text) ?? {
    error: response.status === 503 ? ('service_unavailable' as const) : ('internal_error' as const),
    message: `The answer is ${response.status} and not from the platform.`,
    details: {},
    requestId: response.headers.get('x-request-id') ?? '',
  };
  return new BinderyError(response.status, body as ErrorBody);
}

function errorBodyIn(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    const isError = typeof body === 'object' && body !== null && 'error' in body && 'requestId' in body;
    return isError ? (body as ErrorBody) : null;
  } catch {
    return null;
  }
}
