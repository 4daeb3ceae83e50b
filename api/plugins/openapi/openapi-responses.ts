import type { ErrorCode } from '#shared/domain/kernel/errors.ts';
import { type DeclaredErrors, declaredCodes } from '#api/plugins/declared-errors.ts';
import { errorExample } from './error-examples.ts';

/** Route properties that its responses depend on. */
export interface DescribedRoute {
  url: string;
  isAnonymous: boolean;
}

const requestIdHeader = {
  'X-Request-Id': {
    type: 'string',
    description:
      'Request id. The id of the caller if it consists of 1 to 128 letters, digits or `_.:-`, otherwise a new one.',
  },
};

/** Rate limit headers of draft-ietf-httpapi-ratelimit-headers-07. */
const rateHeaders = {
  'RateLimit-Limit': {
    type: 'integer',
    description:
      'Requests allowed within the window: an hour for the limit of the caller, a minute for the limit of its network. Of two ' +
      'limits, the one with fewer requests left. Present when there is a limit.',
  },
  'RateLimit-Remaining': { type: 'integer', description: 'Requests left in the window.' },
  'RateLimit-Reset': { type: 'integer', description: 'Seconds until the window ends.' },
};

const ocpiHeaders = {
  'X-Correlation-ID': { type: 'string', description: 'Correlation id of the request (OCPI 2.2.1 §4.1.4.1).' },
};

const retryHeader = {
  'Retry-After': { type: 'integer', description: 'Seconds until the request can be repeated.' },
};

const challengeHeader = {
  'WWW-Authenticate': { type: 'string', description: 'Accepted ways to authenticate (RFC 9110 §11.6.1).' },
};

const retriedCodes: readonly ErrorCode[] = ['RATE_LIMITED', 'IDEMPOTENCY_IN_PROGRESS'];

/** Returns the responses of a route for the document: with all headers, and errors with their codes and an example. */
export function describedResponses(responses: object, route: DescribedRoute): Record<string, unknown> {
  const described = Object.entries(responses).map(([status, response]: [string, object]) => {
    const codes = declaredCodes(response);
    const { headers } = response as { headers?: object };
    const shown = isErrors(response) ? shownErrors(response) : withoutCodes(response);
    return [status, { ...shown, headers: { ...commonHeaders(status, codes, route), ...headers } }];
  });
  return Object.fromEntries(described) as Record<string, unknown>;
}

function commonHeaders(status: string, codes: readonly ErrorCode[], route: DescribedRoute): object {
  const isOcpi = route.url.startsWith('/ocpi/');
  const isLimited = (isOcpi || /^\/(?:cpms|emsp)\/v1\//.test(route.url)) && !route.isAnonymous;
  return {
    ...requestIdHeader,
    ...(isLimited && status !== '401' && rateHeaders),
    ...(isOcpi && ocpiHeaders),
    ...((status === '503' || codes.some((code) => retriedCodes.includes(code))) && retryHeader),
    ...(status === '401' && challengeHeader),
  };
}

function isErrors(response: object): response is DeclaredErrors {
  return 'codes' in response && 'content' in response;
}

/** Removes the declared codes from a success, whose body reports errors of its own (the OCPI handshake). */
function withoutCodes(response: object): object {
  const { codes: _codes, ...success } = response as { codes?: unknown };
  return success;
}

function shownErrors({ codes, content, ...response }: DeclaredErrors): object {
  const [code] = codes;
  const shown = Object.entries(content).map(([type, { schema }]) => [
    type,
    {
      schema: { allOf: [schema, narrowed(schema.$ref, codes)] },
      ...(code !== undefined && { example: errorExample(schema.$ref, code) }),
    },
  ]);
  return { ...response, content: Object.fromEntries(shown) as object };
}

/** Returns the part of an error schema that allows these codes only. OCPI puts the code in front of its message. */
function narrowed(ref: string, codes: readonly ErrorCode[]): object {
  if (ref.startsWith('OCPI')) {
    return only('status_message', { type: 'string', pattern: `^(?:${codes.join('|')}): ` });
  }
  const code = only('code', { type: 'string', enum: [...codes] });
  if (!ref.startsWith('CpmsError')) return code;
  // Repeated here: validators that reject unknown fields ignore allOf inside a field.
  const extras = { message: { type: 'string' }, details: { type: 'object' } };
  return only('error', { ...code, properties: { ...code.properties, ...extras } });
}

function only(field: string, schema: object) {
  return { type: 'object', required: [field], properties: { [field]: schema } };
}
