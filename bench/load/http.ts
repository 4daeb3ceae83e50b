import type { System } from '#bench/system/system.ts';

/** @throws {Error} with path, status and body of an answer that is not 2xx. */
export async function requestJson<Body>(
  system: Pick<System, 'apiUrl'>,
  key: string,
  path: string,
  post?: object,
): Promise<Body> {
  const response = await fetch(system.apiUrl + path, {
    headers: { 'x-api-key': key, ...(post !== undefined && { 'content-type': 'application/json' }) },
    ...(post !== undefined && { method: 'POST', body: JSON.stringify(post) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}
