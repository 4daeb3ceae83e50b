import * as fc from 'fast-check';
import t from 'tap';
import { actionsOf, directionOf } from '#shared/ocpp/actions.ts';
import { type OcppVersion, ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { readSchemas } from '#shared/ocpp/generator/schema.ts';
import { validateRequest, validateResponse } from '#shared/ocpp/validators.ts';
import type { ValidationProblem } from '#shared/ocpp/validators.ts';
import { at, deepFreeze, Sampler } from './support/sample.ts';

interface Message {
  name: string;
  fromCharger: boolean;
  check: (payload: unknown) => ValidationProblem | null;
}

function messagesOf(version: OcppVersion): Message[] {
  return actionsOf(version).flatMap((action) => {
    const direction = directionOf(version, action);
    const request = {
      name: `${action}Request`,
      fromCharger: direction !== 'csms',
      check: (payload: unknown) => validateRequest(version, action, payload),
    };
    if (direction === 'send') return [request];
    return [
      request,
      {
        name: `${action}Response`,
        fromCharger: direction !== 'charger',
        check: (payload: unknown) => validateResponse(version, action, payload),
      },
    ];
  });
}

for (const version of ocppVersions) {
  const schemas = readSchemas(version);
  const sampler = new Sampler(schemas);
  const messages = messagesOf(version);

  void t.test(`OCPP ${version}: each schema of the standard belongs to one action`, (t) => {
    t.same(messages.map((message) => message.name).toSorted(), Object.keys(schemas.messages).toSorted());
    t.equal(actionsOf(version).length, { '1.6': 39, '2.0.1': 64, '2.1': 91 }[version]);
    t.end();
  });

  void t.test(
    `OCPP ${version}: accepts the smallest and the fullest valid payload of each message unchanged`,
    (t) => {
      for (const { name, check } of messages) {
        t.equal(check(deepFreeze(sampler.minimal(name))), null, `${name} minimal`);
        t.equal(check(deepFreeze(sampler.full(name))), null, `${name} full`);
      }
      t.end();
    },
  );

  void t.test(`OCPP ${version}: a validator names each required field that is missing`, (t) => {
    const removed = messages.flatMap(({ name, check }) =>
      sampler.requiredFields(name).map(({ holder, name: field }) => {
        const payload = sampler.full(name);
        delete at(payload, holder)[field];
        return { message: name, path: `${holder}/${field}`, problem: check(payload) };
      }),
    );
    t.ok(removed.length > 100);
    t.same(
      removed.filter(({ path, problem }) => problem?.kind !== 'occurrence' || problem.path !== path),
      [],
    );
    t.end();
  });

  void t.test(`OCPP ${version}: a validator refuses the form of a payload that is no object`, (t) => {
    const problems = messages.flatMap(({ check }) => [null, [], 'text', 7, true].map(check));
    t.equal(problems.length, messages.length * 5);
    t.same(
      problems.filter((problem) => problem?.kind !== 'formation' || problem.path !== ''),
      [],
    );
    t.end();
  });

  void t.test(`OCPP ${version}: keeps unknown fields of a charger and refuses to send any`, (t) => {
    for (const { name, fromCharger, check } of messages) {
      const payload = deepFreeze({ ...sampler.minimal(name), vendorExtra: { deep: [1] } });
      if (fromCharger) t.equal(check(payload), null, name);
      else t.match(check(payload), { kind: 'formation', path: '/vendorExtra' }, name);
      t.same(payload.vendorExtra, { deep: [1] });
    }
    t.end();
  });

  void t.test(`OCPP ${version}: a validator never throws`, (t) => {
    fc.assert(
      fc.property(fc.constantFrom(...messages), fc.jsonValue(), fc.string(), (message, value, key) => {
        const payload = deepFreeze({ ...sampler.full(message.name), [key]: value });
        const first = message.check(payload);
        t.same(message.check(payload), first, 'the answer does not depend on the call before');
      }),
      { numRuns: 300 },
    );
    t.end();
  });
}
