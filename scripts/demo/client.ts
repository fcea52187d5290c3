// The tour's API calls: each is shown as a line, and any error ends the tour with its message.

export type Json = Record<string, unknown>;

export interface DemoClient {
  get(path: string): Promise<Json>;
  post(path: string, body?: Json): Promise<Json>;
  put(path: string, body: Json): Promise<Json>;
  patch(path: string, body: Json): Promise<Json>;
}

/** A client of the API at `url` (without /v1) that identifies the caller with these headers. */
export function demoClient(url: string, credential: Record<string, string>): DemoClient {
  const call = async (method: string, path: string, body?: Json): Promise<Json> => {
    const request = {
      method,
      headers: { ...credential, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const response = await fetch(`${url}/v1${path}`, request).catch(() => {
      throw new Error(`Nothing answers at ${url}: run "npm start" in another terminal first.`);
    });
    const answer = (await response.json()) as Json;
    if (response.ok) return answer;
    throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  };
  return {
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
  };
}
