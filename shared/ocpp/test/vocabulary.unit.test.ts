import t from 'tap';
import { directionOf, isKnownAction } from '#shared/ocpp/actions.ts';
import { rpcErrorCode } from '#shared/ocpp/errors.ts';

void t.test('maps errors to the codes of each version', (t) => {
  t.equal(rpcErrorCode('1.6', 'occurrence'), 'OccurenceConstraintViolation');
  t.equal(rpcErrorCode('2.0.1', 'occurrence'), 'OccurrenceConstraintViolation');
  t.equal(rpcErrorCode('1.6', 'formation'), 'FormationViolation');
  t.equal(rpcErrorCode('2.0.1', 'formation'), 'FormatViolation');
  t.equal(rpcErrorCode('2.0.1', 'rpc-framework'), 'RpcFrameworkError');
  t.equal(rpcErrorCode('2.0.1', 'message-type-not-supported'), 'MessageTypeNotSupported');
  t.end();
});

void t.test('maps a malformed message to FormationViolation in 1.6', (t) => {
  t.equal(rpcErrorCode('1.6', 'rpc-framework'), 'FormationViolation');
  t.equal(rpcErrorCode('1.6', 'message-type-not-supported'), 'FormationViolation');
  t.end();
});

void t.test('knows an action in its version only', (t) => {
  t.ok(isKnownAction('1.6', 'StartTransaction'));
  t.notOk(isKnownAction('2.0.1', 'StartTransaction'));
  t.ok(isKnownAction('2.0.1', 'TransactionEvent'));
  t.ok(isKnownAction('1.6', 'SecurityEventNotification'), 'the security extension belongs to 1.6');
  t.end();
});

void t.test('treats names of object properties as unknown actions', (t) => {
  for (const name of ['toString', '__proto__', 'constructor', '']) t.notOk(isKnownAction('1.6', name), name);
  t.end();
});

void t.test('assigns each action to its direction', (t) => {
  t.equal(directionOf('1.6', 'BootNotification'), 'charger');
  t.equal(directionOf('1.6', 'Reset'), 'csms');
  t.equal(directionOf('2.0.1', 'DataTransfer'), 'both');
  t.end();
});
