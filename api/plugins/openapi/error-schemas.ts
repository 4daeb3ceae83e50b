import { Type } from 'typebox';
import type { ErrorCode } from '#shared/domain/kernel/errors.ts';
import type { App } from '#api/plugins/app-instance.ts';
import { declareErrors } from '#api/plugins/declared-errors.ts';

const codes = Type.String({
  description: 'Stable error code. Each operation lists its codes.',
});
const details = Type.Optional(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'Details of the error, such as the invalid fields in `errors`.',
    },
  ),
);

const cpmsError = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object({ code: codes, message: Type.String(), details }),
    timestamp: Type.String({ format: 'date-time' }),
  },
  { $id: 'CpmsError', description: 'Error of the operator API.' },
);

/** Subjects of the public API's errors. Each has a named schema, so that clients get a type for each. */
const problemFamilies = [
  'Analytics',
  'Branding',
  'Charger',
  'Charging',
  'Connector',
  'DriverAuth',
  'Invoice',
  'OpenData',
  'Pricing',
  'Report',
  'ScheduledCharge',
  'Session',
  'Token',
  'Transaction',
  'User',
  'Wallet',
] as const;
type ProblemFamily = (typeof problemFamilies)[number];

const problem = (family: ProblemFamily | '') =>
  Type.Object(
    {
      type: Type.String({ description: 'Always `about:blank`: `code` identifies the error.' }),
      title: Type.String({ description: 'Error code in words.' }),
      status: Type.Integer({ description: 'HTTP status.' }),
      detail: Type.String({
        description: 'Sentence with the cause, the accepted values and the remedy.',
      }),
      code: codes,
      instance: Type.String({ description: 'Request id, as in the header x-request-id.' }),
      details,
    },
    { $id: `${family}Problem`, description: 'Error of the public API: problem details (RFC 9457).' },
  );

const ocpiError = Type.Object(
  {
    status_code: Type.Integer({
      description: 'OCPI status. 2xxx: error of the request. 3xxx: error of the server (OCPI 2.2.1 §5).',
    }),
    status_message: Type.String({
      description: 'Stable error code, a colon, and a sentence with the remedy.',
    }),
    timestamp: Type.String({ format: 'date-time' }),
  },
  { $id: 'OCPIError', description: 'Error of OCPI: the envelope without data.' },
);

/** Reference to the error schema of OCPI. */
export const ocpiErrorRef = 'OCPIError#';

/** Adds the error schemas by name. */
export function addErrorSchemas(app: App): void {
  app.addSchema(cpmsError);
  for (const family of ['', ...problemFamilies] as const) app.addSchema(problem(family));
  app.addSchema(ocpiError);
}

const faults = ['INTERNAL_ERROR', 'STORE_UNAVAILABLE', 'OVERLOADED'] as const satisfies ErrorCode[];

/** Error codes of every route with credentials. */
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

/** Further error codes of every route that accepts drivers' tokens. */
const driverCaller = [
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'EMAIL_NOT_VERIFIED',
  'DRIVER_BLOCKED',
  'SCOPE_MISSING',
] as const satisfies ErrorCode[];

/** Further error codes of every route that accepts operators' tokens. */
const operatorCaller = [
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'SIGN_IN_REQUIRED',
  'CROSS_SITE_REQUEST',
  'OPERATOR_NOT_ALLOWED',
  'SECOND_FACTOR_ENROLMENT_REQUIRED',
  'ISSUER_UNAVAILABLE',
  'SCOPE_MISSING',
] as const satisfies ErrorCode[];

/** Returns the error responses of an operator route by status: the common ones and the named ones. */
export function cpmsErrors(...own: ErrorCode[]): object {
  return byStatus([...common, ...operatorCaller, ...own], 'application/json', 'CpmsError#');
}

/** Returns the error responses of an operator route without credentials. */
export function openErrors(...own: ErrorCode[]): object {
  return byStatus(['VALIDATION_FAILED', ...faults, ...own], 'application/json', 'CpmsError#');
}

/** Returns the error responses of a public route by status: the common ones and the named ones. */
export function problems(family: ProblemFamily, ...own: ErrorCode[]): object {
  return byStatus([...common, ...driverCaller, ...own], 'application/problem+json', `${family}Problem#`);
}

/** Returns the error responses of a public route without credentials. */
export function openProblems(family: ProblemFamily, ...own: ErrorCode[]): object {
  return byStatus(['VALIDATION_FAILED', ...faults, ...own], 'application/problem+json', `${family}Problem#`);
}

/** Returns the error responses of a route outside the families by status. */
export function serviceErrors(codes: readonly ErrorCode[]) {
  return declareErrors(codes, 'application/problem+json', 'Problem#');
}

function byStatus(errors: readonly ErrorCode[], contentType: string, ref: string): object {
  // Typed as a plain object: handlers throw errors, so these add nothing to a route's reply type.
  return declareErrors(errors, contentType, ref);
}
