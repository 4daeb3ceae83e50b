import { Type } from 'typebox';
import type { ErrorCode } from '#shared/domain/kernel/errors.ts';
import type { App } from '#api/plugins/app-instance.ts';
import { declareErrors } from '#api/plugins/declared-errors.ts';

const codes = Type.String({
  description: 'Stable error code. Each operation lists the codes that it answers with.',
});
const details = Type.Optional(
  Type.Object(
    {},
    { additionalProperties: true, description: 'What the error is about, such as the fields of `errors`.' },
  ),
);

const cpmsError = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({ code: codes, message: Type.String(), details }),
    timestamp: Type.String({ format: 'date-time' }),
  },
  { $id: 'CpmsError', description: 'An error of the operator API.' },
);

/** What the public API's errors are about: each has a schema of its name, so that clients get a type for each. */
const problemFamilies = [
  'Analytics',
  'Branding',
  'Charger',
  'Charging',
  'Connector',
  'DriverAuth',
  'Invoice',
  'Pricing',
  'Report',
  'ScheduledCharge',
  'Session',
  'Token',
  'Transaction',
  'User',
  'Wallet',
] as const;
export type ProblemFamily = (typeof problemFamilies)[number];

const problem = (family: ProblemFamily | '') =>
  Type.Object(
    {
      type: Type.String({ description: 'Always `about:blank`: the code names the error.' }),
      title: Type.String({ description: 'The code in words.' }),
      status: Type.Integer({ description: 'HTTP status.' }),
      detail: Type.String({
        description: 'A sentence with what was wrong, what is accepted and what to do.',
      }),
      code: codes,
      instance: Type.String({ description: 'The request id, as in the header x-request-id.' }),
      details,
    },
    { $id: `${family}Problem`, description: 'An error of the public API: problem details (RFC 9457).' },
  );

const ocpiError = Type.Object(
  {
    status_code: Type.Integer({ description: '2xxx: the request; 3xxx: the server (OCPI 2.2.1 §5)' }),
    status_message: Type.String({ description: 'The stable code, a colon, and a sentence to act on.' }),
    timestamp: Type.String({ format: 'date-time' }),
  },
  { $id: 'OCPIError', description: 'An error of OCPI: the envelope without data.' },
);

/** What a route of OCPI refers to. */
export const ocpiErrorRef = 'OCPIError#';

/** Makes the error schemas known by name. */
export function addErrorSchemas(app: App): void {
  app.addSchema(cpmsError);
  for (const family of ['', ...problemFamilies] as const) app.addSchema(problem(family));
  app.addSchema(ocpiError);
}

const faults = ['INTERNAL_ERROR', 'STORE_UNAVAILABLE'] as const satisfies ErrorCode[];

/** What any route behind a key may answer. */
const common = [
  'VALIDATION_FAILED',
  'KEY_MISSING',
  'KEY_INVALID',
  'KEY_REVOKED',
  'KEY_EXPIRED',
  'API_FAMILY_MISMATCH',
  'ADDRESS_NOT_ALLOWED',
  'RATE_LIMITED',
  ...faults,
] as const satisfies ErrorCode[];

/** What any route that takes drivers' tokens may answer beside that. */
const driverCaller = [
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'EMAIL_NOT_VERIFIED',
  'SCOPE_MISSING',
] as const satisfies ErrorCode[];

/** What any route that takes operators' tokens may answer beside that. */
const operatorCaller = [
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'OPERATOR_NOT_ALLOWED',
  'ISSUER_UNAVAILABLE',
  'SCOPE_MISSING',
] as const satisfies ErrorCode[];

/** What any route with a body may answer beside that. */
export const bodyErrors = [
  'MALFORMED_JSON',
  'BODY_TIMEOUT',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies ErrorCode[];

/** The error responses of an operator route, by status: those of every route and the ones named. */
export function cpmsErrors(...own: ErrorCode[]): object {
  return byStatus([...common, ...operatorCaller, ...own], 'application/json', 'CpmsError#');
}

/** The error responses of an operator route that asks for no credentials. */
export function openErrors(...own: ErrorCode[]): object {
  return byStatus(['VALIDATION_FAILED', ...faults, ...own], 'application/json', 'CpmsError#');
}

/** The error responses of a public route, by status: those of every route and the ones named. */
export function problems(family: ProblemFamily, ...own: ErrorCode[]): object {
  return byStatus([...common, ...driverCaller, ...own], 'application/problem+json', `${family}Problem#`);
}

/** The error responses of a public route that asks for no credentials. */
export function openProblems(family: ProblemFamily, ...own: ErrorCode[]): object {
  return byStatus(['VALIDATION_FAILED', ...faults, ...own], 'application/problem+json', `${family}Problem#`);
}

/** The error responses of a plugin by status, in the form of a family. */
export function pluginErrors(family: 'cpms' | 'emsp', codes: readonly ErrorCode[]) {
  return family === 'cpms'
    ? declareErrors(codes, 'application/json', 'CpmsError#')
    : declareErrors(codes, 'application/problem+json', 'Problem#');
}

function byStatus(errors: readonly ErrorCode[], contentType: string, ref: string): object {
  // No more than an object to TypeScript: handlers throw errors, so these add nothing to a route's reply type.
  return declareErrors(errors, contentType, ref);
}
