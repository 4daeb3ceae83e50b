import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';

/** Fault of a call, independent of the version and translated to a version's spelling at the edge. */
export type RpcErrorKind =
  | 'not-implemented'
  | 'not-supported'
  | 'internal'
  | 'protocol'
  | 'security'
  | 'formation'
  | 'property'
  | 'occurrence'
  | 'type'
  | 'generic'
  | 'rpc-framework'
  | 'message-type-not-supported';

/**
 * OCPP-J 1.6, section 4.2.3 (CallError). `OccurenceConstraintViolation` is the standard's own spelling, and
 * chargers compare it literally. 1.6 has no code for a malformed message: FormationViolation is the closest.
 */
const codes16 = {
  'not-implemented': 'NotImplemented',
  'not-supported': 'NotSupported',
  internal: 'InternalError',
  protocol: 'ProtocolError',
  security: 'SecurityError',
  formation: 'FormationViolation',
  property: 'PropertyConstraintViolation',
  occurrence: 'OccurenceConstraintViolation',
  type: 'TypeConstraintViolation',
  generic: 'GenericError',
  'rpc-framework': 'FormationViolation',
  'message-type-not-supported': 'FormationViolation',
} as const satisfies Record<RpcErrorKind, string>;

/** OCPP 2.0.1 and 2.1, part 4 (JSON over WebSockets), section 4.3, table of RPC framework error codes. */
const codes201 = {
  'not-implemented': 'NotImplemented',
  'not-supported': 'NotSupported',
  internal: 'InternalError',
  protocol: 'ProtocolError',
  security: 'SecurityError',
  formation: 'FormatViolation',
  property: 'PropertyConstraintViolation',
  occurrence: 'OccurrenceConstraintViolation',
  type: 'TypeConstraintViolation',
  generic: 'GenericError',
  'rpc-framework': 'RpcFrameworkError',
  'message-type-not-supported': 'MessageTypeNotSupported',
} as const satisfies Record<RpcErrorKind, string>;

const codes = { '1.6': codes16, '2.0.1': codes201, '2.1': codes201 } as const satisfies Record<
  OcppVersion,
  unknown
>;

/** The error codes that a version knows. */
type RpcErrorCode<V extends OcppVersion = OcppVersion> = (typeof codes)[V][RpcErrorKind];

/** The CALLERROR code of a version for a kind of error. */
export function rpcErrorCode<V extends OcppVersion>(version: V, kind: RpcErrorKind): RpcErrorCode<V> {
  return codes[version][kind] as RpcErrorCode<V>;
}
