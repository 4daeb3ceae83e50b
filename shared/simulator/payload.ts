/** The JSON object of a message. */
export type Payload = Record<string, unknown>;

/** Returns whether a value is a JSON object. */
export function isRecord(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member that is an object; {} when it is missing or something else. */
export function record(payload: Payload, name: string): Payload {
  const value = payload[name];
  return isRecord(value) ? value : {};
}

/** A member that is an array of objects; what is not an object is left out. */
export function records(payload: Payload, name: string): Payload[] {
  const value = payload[name];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A member that is a string; undefined when it is missing or something else. */
export function text(payload: Payload, name: string): string | undefined {
  const value = payload[name];
  return typeof value === 'string' ? value : undefined;
}

/** A member that is a number; undefined when it is missing or something else. */
export function number(payload: Payload, name: string): number | undefined {
  const value = payload[name];
  return typeof value === 'number' ? value : undefined;
}
