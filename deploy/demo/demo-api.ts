/** An API of the running system with a key. */
export interface DemoApi {
  get: <Data>(path: string) => Promise<Data>;
  post: <Data>(path: string, body?: unknown) => Promise<Data>;
  put: (path: string, body: unknown) => Promise<unknown>;
  remove: (path: string) => Promise<unknown>;
}

/** Returns the API that a key opens. Its requests throw an error with the reason when they are refused. */
export function demoApi(url: string, key: string): DemoApi {
  const request = async <Data>(method: string, path: string, body?: unknown): Promise<Data> => {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: Data; error?: { message: string } };
    if (!response.ok) {
      throw new Error(
        `${method} ${path} was answered ${response.status}: ${answer.error?.message ?? 'no reason'}`,
      );
    }
    return answer.data;
  };
  return {
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    put: (path, body) => request('PUT', path, body),
    remove: (path) => request('DELETE', path),
  };
}
