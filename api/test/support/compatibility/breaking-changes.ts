import type { Content, Contract, Operation } from './contract.ts';
import { SchemaChanges } from './schema-changes.ts';

type Parameters = Map<string, NonNullable<Operation['parameters']>[number]>;

/**
 * Returns the changes between two contracts that break a client of the first one: what was removed, what a request no
 * longer accepts or newly requires, and what a response may newly lack or hold. New paths, fields, codes and values of
 * responses break no client.
 */
export function breakingChanges(before: Contract, after: Contract): string[] {
  const schemas = new SchemaChanges(before, after);
  return [
    ...operationsOf(before.paths).flatMap(([name, operation, key]) => {
      const successor = operationsOf(after.paths).find(([, , other]) => other === key)?.[1];
      return successor ? ofOperation(schemas, name, operation, successor) : [`${name}: removed`];
    }),
    ...operationsOf(before.webhooks).flatMap(([name, { requestBody }, key]) => {
      const successor = operationsOf(after.webhooks).find(([, , other]) => other === key)?.[1];
      if (successor === undefined) return [`webhook ${name}: removed`];
      return ofContent(
        schemas,
        'response',
        requestBody?.content,
        successor.requestBody?.content,
        `webhook ${name}`,
      );
    }),
    ...before.errorCodes
      .filter((code) => !after.errorCodes.includes(code))
      .map((code) => `error code ${code}: removed`),
  ];
}

/** Operations with their names, and with keys in which parameters of the path have no name. */
function operationsOf(paths: Contract['paths']): [name: string, operation: Operation, key: string][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation, string] => {
      const name = `${method.toUpperCase()} ${path}`;
      return [name, operation, name.replaceAll(/\{\w+\}/g, '{}')];
    }),
  );
}

function ofOperation(schemas: SchemaChanges, name: string, before: Operation, after: Operation): string[] {
  const [scope, newScope] = [before['x-scope'] ?? null, after['x-scope'] ?? null];
  const body = after.requestBody;
  const wasRequired = before.requestBody?.required === true;
  return [
    ...(newScope === null || newScope === scope ? [] : [`${name}: requires the scope ${newScope}`]),
    ...ofParameters(schemas, name, parametersOf(before), parametersOf(after)),
    ...(body?.required === true && !wasRequired ? [`${name} body: became required`] : []),
    ...ofContent(schemas, 'request', before.requestBody?.content, body?.content, `${name} body`),
    ...Object.entries(before.responses).flatMap(([status, response]) => {
      const successor = after.responses[status];
      const at = `${name} ${status}`;
      return successor
        ? ofContent(schemas, 'response', response.content, successor.content, at)
        : [`${at}: removed`];
    }),
  ];
}

/** Parameters of the path are identified by their order, others by their names. */
function parametersOf({ parameters = [] }: Operation): Parameters {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return new Map(
    parameters.map((parameter) => [
      `${parameter.in} ${parameter.in === 'path' ? inPath.indexOf(parameter) + 1 : parameter.name}`,
      parameter,
    ]),
  );
}

function ofParameters(schemas: SchemaChanges, name: string, before: Parameters, after: Parameters): string[] {
  const required = [...after].flatMap(([key, parameter]) =>
    parameter.required === true && before.get(key)?.required !== true
      ? [`${name} ${key}: became required`]
      : [],
  );
  const changed = [...before].flatMap(([key, parameter]) => {
    const successor = after.get(key);
    const at = `${name} ${key}`;
    return successor ? schemas.find('request', parameter.schema, successor.schema, at) : [`${at}: removed`];
  });
  return [...required, ...changed];
}

function ofContent(
  schemas: SchemaChanges,
  direction: 'request' | 'response',
  before: Content = {},
  after: Content = {},
  at: string,
): string[] {
  return Object.entries(before).flatMap(([type, { schema = {} }]) => {
    const successor = after[type];
    return successor
      ? schemas.find(direction, schema, successor.schema ?? {}, at)
      : [`${at}: ${type} removed`];
  });
}
