import type { RpcErrorKind } from './errors.ts';

/** The first rule that a payload breaks, as a generated validator reports it. */
interface BrokenRule {
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
}

/**
 * A generated validation function; `errors` is what the last call found, until the next call. Their paths begin with
 * `path`, and are useless without it.
 */
export interface Validator {
  (payload: unknown, path?: string): boolean;
  errors?: BrokenRule[] | null;
}

/** Reason for a refused payload. `kind` chooses the CALLERROR code (rpcErrorCode), `path` is a JSON pointer. */
export interface ValidationProblem {
  kind: Extract<RpcErrorKind, 'formation' | 'occurrence' | 'type' | 'property'>;
  path: string;
  message: string;
}

/** Runs a validator: null if the payload passes. The payload is never changed. */
export function problemOf(validator: Validator, payload: unknown): ValidationProblem | null {
  if (validator(payload)) return null;
  validator(payload, '');
  const rule = validator.errors?.[0];
  if (rule === undefined) throw new Error('a validator refused a payload without a reason');
  const path = pathOf(rule);
  return { kind: kindOf(rule), path, message: `${path === '' ? 'the payload' : path} ${describe(rule)}` };
}

function pathOf(rule: BrokenRule): string {
  if (rule.keyword === 'required') return `${rule.instancePath}/${String(rule.params['missingProperty'])}`;
  if (rule.keyword !== 'additionalProperties') return rule.instancePath;
  return `${rule.instancePath}/${String(rule.params['additionalProperty'])}`;
}

function kindOf(rule: BrokenRule): ValidationProblem['kind'] {
  switch (rule.keyword) {
    case 'required':
    case 'minItems':
    case 'maxItems':
      return 'occurrence';
    case 'type':
      // A payload that is no object has no structure at all.
      return rule.instancePath === '' ? 'formation' : 'type';
    case 'additionalProperties':
      return 'formation';
    default:
      return 'property';
  }
}

function describe({ keyword, params }: BrokenRule): string {
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
      return 'is not a field of this message';
    case 'type':
      return `must be of type ${String(params['type'])}`;
    case 'minItems':
      return `must have at least ${String(params['limit'])} items`;
    case 'maxItems':
      return `must have at most ${String(params['limit'])} items`;
    case 'maxLength':
      return `must have at most ${String(params['limit'])} characters`;
    case 'minimum':
    case 'maximum':
      return `must be ${String(params['comparison'])} ${String(params['limit'])}`;
    case 'multipleOf':
      return `must be a multiple of ${String(params['multipleOf'])}`;
    case 'format':
      return `is not a valid ${String(params['format']).replace('lenient-', '')}`;
    default:
      return 'is not one of the allowed values';
  }
}
