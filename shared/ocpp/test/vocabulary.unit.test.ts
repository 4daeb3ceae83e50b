import t from 'tap';
import { directionOf, isKnownAction } from '#shared/ocpp/actions.ts';
import { rpcErrorCode } from '#shared/ocpp/errors.ts';

void t.test('each version spells its errors in its own way', (t) => {
  t.equal(rpcErrorCode('1.6', 'occurrence'), 'OccurenceConstraintViolation');
  t.equal(rpcErrorCode('2.0.1', 'occurrence'), 'OccurrenceConstraintViolation');
  t.equal(rpcErrorCode('1.6', 'formation'), 'FormationViolation');
  t.equal(rpcErrorCode('2.0.1', 'formation'), 'FormatViolation');
  t.equal(rpcErrorCode('2.0.1', 'rpc-framework'), 'RpcFrameworkError');
  t.equal(rpcErrorCode('2.0.1', 'message-type-not-supported'), 'MessageTypeNotSupported');
  t.end();
});

void t.test('1.6 has no word for a broken frame and falls back to the general error', (t) => {
  t.equal(rpcErrorCode('1.6', 'rpc-framework'), 'GenericError');
  t.equal(rpcErrorCode('1.6', 'message-type-not-supported'), 'GenericError');
  t.end();
});

void t.test('an action is known to its version only', (t) => {
  t.ok(isKnownAction('1.6', 'StartTransaction'));
  t.notOk(isKnownAction('2.0.1', 'StartTransaction'));
  t.ok(isKnownAction('2.0.1', 'TransactionEvent'));
  t.ok(isKnownAction('1.6', 'SecurityEventNotification'), 'the security extension belongs to 1.6');
  t.end();
});

void t.test('names that every object has are no actions', (t) => {
  for (const name of ['toString', '__proto__', 'constructor', '']) t.notOk(isKnownAction('1.6', name), name);
  t.end();
});

void t.test('a charger may not call what only we may call; both may transfer data', (t) => {
  t.equal(directionOf('1.6', 'BootNotification'), 'charger');
  t.equal(directionOf('1.6', 'Reset'), 'csms');
  t.equal(directionOf('2.0.1', 'DataTransfer'), 'both');
  t.end();
});
