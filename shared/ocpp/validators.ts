import type { ActionOf } from './actions.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import * as ocpp16 from './generated/ocpp16-validators.js';
import type * as types16 from './generated/ocpp16.ts';
import * as ocpp201 from './generated/ocpp201-validators.js';
import type * as types201 from './generated/ocpp201.ts';
import * as ocpp21 from './generated/ocpp21-validators.js';
import type * as types21 from './generated/ocpp21.ts';
import { repairResponse } from './repair-response.ts';
import { problemOf, type ValidationProblem, type Validator } from './validator.ts';

export type { ValidationProblem } from './validator.ts';

interface RequestMaps {
  '1.6': types16.Requests;
  '2.0.1': types201.Requests;
  '2.1': types21.Requests;
}

interface ResponseMaps {
  '1.6': types16.Responses;
  '2.0.1': types201.Responses;
  '2.1': types21.Responses;
}

/** The payload of an action's request: `RequestOf<'1.6', 'BootNotification'>`. */
export type RequestOf<V extends OcppVersion, A extends ActionOf<V>> = A extends keyof RequestMaps[V]
  ? RequestMaps[V][A]
  : never;

/** The payload of an action's response. */
export type ResponseOf<V extends OcppVersion, A extends ActionOf<V>> = A extends keyof ResponseMaps[V]
  ? ResponseMaps[V][A]
  : never;

const validators: Record<OcppVersion, Record<string, Validator>> = {
  '1.6': ocpp16,
  '2.0.1': ocpp201,
  '2.1': ocpp21,
};

/** Invalid payload; `problem` states the reason and chooses the CALLERROR code. */
export class InvalidPayload extends Error {
  readonly problem: ValidationProblem;

  constructor(problem: ValidationProblem) {
    super(problem.message);
    this.name = 'InvalidPayload';
    this.problem = problem;
  }
}

/**
 * Checks the payload of a request: null if it passes. What chargers send is judged tolerantly (generator/tolerance.ts
 * lists how), what we send by the standard's schema. The payload is never changed.
 */
export function validateRequest<V extends OcppVersion>(
  version: V,
  action: ActionOf<V>,
  payload: unknown,
): ValidationProblem | null {
  return requestCheck(version, action)(payload);
}

/** Returns the check of an action's requests, for many payloads. */
export function requestCheck<V extends OcppVersion>(
  version: V,
  action: ActionOf<V>,
): (payload: unknown) => ValidationProblem | null {
  const validator = validatorOf(version, `${action}Request`);
  return (payload) => problemOf(validator, payload);
}

/** Checks the payload of a response: tolerantly if the charger sends it, strictly if we do. Null if it passes. */
export function validateResponse<V extends OcppVersion>(
  version: V,
  action: ActionOf<V>,
  payload: unknown,
): ValidationProblem | null {
  return problemOf(validatorOf(version, `${action}Response`), payload);
}

/**
 * Returns the payload as the action's typed response, with its readable fields where some are not (`repairResponse`).
 * @throws {InvalidPayload} when a required field is not readable.
 */
export function asResponse<V extends OcppVersion, A extends ActionOf<V>>(
  version: V,
  action: A,
  payload: unknown,
): ResponseOf<V, A> {
  if (validateResponse(version, action, payload) === null) return payload as ResponseOf<V, A>;
  const repaired = repairResponse(payload, (response) => validateResponse(version, action, response));
  const problem = validateResponse(version, action, repaired);
  if (problem !== null) throw new InvalidPayload(problem);
  return repaired as ResponseOf<V, A>;
}

function validatorOf(version: OcppVersion, message: string): Validator {
  const validator = validators[version][message];
  if (validator === undefined) throw new Error(`OCPP ${version} has no ${message}`);
  return validator;
}
