// A small HTTP client for tests: it parses bodies and never throws on an error status.
import { keepExchange } from './examples/exchanges.ts';

export interface TestResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
  text: string;
}

export interface RequestOptions {
  headers?: Record<string, string>;
  query?: Record<string, string | number | boolean>;
}

export interface TestClient {
  get(path: string, options?: RequestOptions): Promise<TestResponse>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<TestResponse>;
  del(path: string, options?: RequestOptions): Promise<TestResponse>;
  /** Any method, with the body exactly as given. */
  send(method: string, path: string, body?: RequestInit['body'], options?: RequestOptions): Promise<TestResponse>;
}

/**
 * A client that sends `headers` with every request.
 * @param baseUrl without a trailing slash; paths begin with one, resources with `/v1/`
 */
export function testClient(baseUrl: string, headers: () => Promise<Record<string, string>>): TestClient {
  const send: TestClient['send'] = async (method, path, body, options = {}) => {
    const url = new URL(`${baseUrl}${path}`);
    for (const [name, value] of Object.entries(options.query ?? {})) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method,
      headers: { ...(await headers()), ...options.headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const answer = await readResponse(response);
    keepExchange(method, url, body, response, answer.text);
    return answer;
  };
  const sendJson = (method: string, path: string, body: unknown, options: RequestOptions = {}) =>
    body === undefined
      ? send(method, path, undefined, options)
      : send(method, path, JSON.stringify(body), {
          ...options,
          headers: { 'content-type': 'application/json', ...options.headers },
        });
  return {
    send,
    get: (path, options) => send('GET', path, undefined, options),
    del: (path, options) => send('DELETE', path, undefined, options),
    post: (path, body, options) => sendJson('POST', path, body, options),
    patch: (path, body, options) => sendJson('PATCH', path, body, options),
    put: (path, body, options) => sendJson('PUT', path, body, options),
  };
}

async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  const body = isJson && text !== '' ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, body, text };
}
