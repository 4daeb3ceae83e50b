import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchemaValidationError } from 'fastify';
import { isStorableTime, parseDateTime } from '#shared/domain/kernel/date-time.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import type { App } from './app-instance.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const dateTimePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * Validates requests strictly. In a body, a string instead of a number and an unknown field are errors. Values of a
 * URL are converted to the type of their schema. Schemas are compiled at first use: most processes never receive a
 * request for most of the hundreds of schemas.
 */
export function validateStrictly(app: App): void {
  app.setValidatorCompiler(({ schema, httpPart }) =>
    compiledWhenUsed(httpPart === 'body' ? bodies : urls, schema as object),
  );
}

function compiledWhenUsed(ajv: Ajv, schema: object): ValidateFunction {
  let compiled: ValidateFunction | undefined;
  const validate = (data: unknown) => {
    compiled ??= ajv.compile(schema);
    const isValid = compiled(data);
    // Fastify reads the errors here.
    (validate as unknown as ValidateFunction).errors = compiled.errors ?? null;
    return isValid;
  };
  return validate as unknown as ValidateFunction;
}

/** Returns a function that checks a value by the schema of its field, and returns the fault or null. */
export function valueCheck(schema: object): (value: unknown) => string | null {
  const validate = compiledWhenUsed(bodies, schema);
  return (value) => {
    if (validate(value)) return null;
    return (validate.errors ?? []).map((problem) => describe(problem, 'body').message).join('; ');
  };
}

function validator(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    // Ajv compares bounds with finite numbers only, and converts 1e400 in a URL to Infinity.
    strictNumbers: !coerceTypes,
    // Errors contain the form that a pattern stands for, from the schema.
    verbose: true,
    allowUnionTypes: true,
    formats: {
      uuid: uuidPattern,
      'date-time': isDateTime,
    },
  });
  return ajv.addKeyword('x-accepts');
}

/** Ajv compiles a schema once, also for several applications in one process. */
const bodies = validator(false);
const urls = validator(true);

/**
 * Returns true for a storable RFC 3339 time. `Date` by itself accepts 30 February as a day of March. Leap seconds are refused.
 */
function isDateTime(text: string): boolean {
  return dateTimePattern.test(text) && parseDateTime(text) !== null && isStorableTime(Date.parse(text));
}

const parts: Record<string, string> = { body: 'body', querystring: 'query', params: 'path' };

/** Returns the error of a request that violates its schema, with the names of the fields. */
export function validationFailed(
  problems: FastifySchemaValidationError[],
  part: string | undefined,
): DomainError {
  const errors = problems.map((problem) => describe(problem as ErrorObject, part));
  const where = parts[part ?? ''] ?? 'request';
  const found = errors.map(({ field, message }) => (field === '' ? message : `${field} ${message}`));
  return new DomainError('VALIDATION_FAILED', `Invalid ${where}: ${found.join('; ')}.`, { errors });
}

function describe(problem: ErrorObject, part: string | undefined): { field: string; message: string } {
  const { keyword, params, instancePath, parentSchema, data, message = 'is invalid' } = problem;
  const at = instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: unknown) => (at === '' ? String(name) : `${at}.${String(name)}`);
  if (keyword === 'required') return { field: inside(params.missingProperty), message: 'is required' };
  if (keyword === 'additionalProperties') {
    const unknown =
      part === 'querystring' ? notAmong(parentSchema?.properties) : 'is not a field of this request';
    return { field: inside(params.additionalProperty), message: unknown };
  }
  if (keyword === 'enum') {
    return { field: at, message: `must be one of ${(params.allowedValues as unknown[]).join(', ')}` };
  }
  if (keyword === 'pattern') return { field: at, message: `must be ${formOf(parentSchema)}` };
  // Ajv writes "object,null" for an optional body.
  if (keyword === 'type')
    return { field: at, message: `must be ${String(params.type).replace(',null', '')}` };
  if (keyword === 'format') {
    const named = formats[String(params.format)] ?? String(params.format);
    return { field: at, message: `must be ${named}${plusHint(part, data)}` };
  }
  const counted = counts[keyword];
  if (counted !== undefined) {
    const [bound, of] = counted;
    const plural = params.limit === 1 ? '' : 's';
    return { field: at, message: `must have at ${bound} ${String(params.limit)} ${of}${plural}` };
  }
  return { field: at, message };
}

/** Returns the form that a pattern stands for, in words. Wire formats of OCPI have it as their description. */
function formOf(schema: Record<string, unknown> = {}): string {
  return String(schema['x-accepts'] ?? schema['description']);
}

/** Returns a hint for a time in a query whose zone was written with a plus, which is a space there. */
function plusHint(part: string | undefined, data: unknown): string {
  const isLost = part === 'querystring' && typeof data === 'string' && / \d\d:\d\d$/.test(data);
  return isLost ? '; in a URL, + is written as %2B' : '';
}

/** Returns the message for an unknown parameter. */
function notAmong(known: object = {}): string {
  const names = Object.keys(known).join(', ');
  return `is not a parameter of this request, which takes ${names === '' ? 'none' : names}`;
}

/** Formats in words. */
const formats: Record<string, string> = {
  uuid: 'a UUID, such as 123e4567-e89b-42d3-a456-426614174000',
  'date-time': 'a date and time with its zone, such as 2026-01-31T12:00:00Z',
};

/** Keywords of JSON Schema that limit a number of items. */
const counts: Record<string, [bound: 'least' | 'most', of: string]> = {
  minLength: ['least', 'character'],
  maxLength: ['most', 'character'],
  minItems: ['least', 'item'],
  maxItems: ['most', 'item'],
  minProperties: ['least', 'field'],
  maxProperties: ['most', 'field'],
};
