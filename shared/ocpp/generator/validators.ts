import { Ajv, _ } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { actionsOf, directionOf } from '#shared/ocpp/actions.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import { formats } from '#shared/ocpp/formats.ts';
import type { Schema, SchemaSet } from './schema.ts';

/** Which rules judge a message: the charger's side is tolerated, ours is not. */
type Rules = 'tolerant' | 'strict';

const lengthHelper = 'require("ajv/dist/runtime/ucs2length").default';

/** The validation functions of a version as one ES module, exported as `<Action>Request` and `<Action>Response`. */
export function validatorModule(version: OcppVersion, sets: Record<Rules, SchemaSet>): string {
  const ajv = new Ajv({
    strict: false,
    messages: false,
    inlineRefs: false,
    // 0.1 has no exact binary form: without it valid limits such as 16.1 are refused.
    multipleOfPrecision: 6,
    formats,
    code: { source: true, esm: true, lines: true, optimize: 2, formats: _`formats` },
  });
  for (const rules of ['tolerant', 'strict'] as const) {
    ajv.addSchema({ $id: rules, definitions: sets[rules].definitions });
  }
  const exports: Record<string, string> = {};
  for (const [name, rules] of messageRules(version)) {
    const schema = sets[rules].messages[name];
    if (schema === undefined) throw new Error(`OCPP ${version} has no schema for ${name}`);
    ajv.addSchema({ ...(pointTo(rules, schema) as Schema), $id: name });
    exports[name] = name;
  }
  return finish(standalone.default(ajv, exports));
}

/** The types of the module that {@link validatorModule} writes. */
export function validatorDeclarations(version: OcppVersion): string {
  const names = messageRules(version).map(([name]) => `export const ${name}: Validator;`);
  return ["import type { Validator } from '#shared/ocpp/validator.ts';", ...names, ''].join('\n');
}

/** Every message of a version with the rules that judge it: tolerant if a charger may have sent it. */
function messageRules(version: OcppVersion): [string, Rules][] {
  return actionsOf(version).flatMap((action): [string, Rules][] => {
    const direction = directionOf(version, action);
    if (direction === 'send') return [[`${action}Request`, 'tolerant']];
    return [
      [`${action}Request`, direction === 'csms' ? 'strict' : 'tolerant'],
      [`${action}Response`, direction === 'charger' ? 'strict' : 'tolerant'],
    ];
  });
}

/** Makes references point to the shared definitions, so that each definition is compiled once per version. */
function pointTo(rules: Rules, node: unknown): unknown {
  return JSON.parse(JSON.stringify(node).replaceAll('"#/definitions/', `"${rules}#/definitions/`)) as unknown;
}

function withoutUnusedSchemas(code: string): string {
  const declaration = /^const (schema\d+) = .*;\n/gm;
  const used = new Set(code.replaceAll(declaration, '').match(/\bschema\d+\b/g));
  return code.replaceAll(declaration, (line, name: string) => (used.has(name) ? line : ''));
}

/** Parameter of a validation function, and argument of a call of another, that say where the value is. */
const pathParameter = '{instancePath="", parentData, parentDataProperty, rootData=data}={}';
const pathArgument =
  /\{instancePath:instancePath\+("[^"]*"(?: \+ i\d+)?),parentData:[^,]*,parentDataProperty:[^,]*,rootData\}/g;

/**
 * The compiler writes CommonJS calls for its helpers even into ES modules: ours take their place. Unused code,
 * the place in the schema and the schemas that lists of allowed values point into, is left out: a third of the code. A path is a text or, in the
 * first run of a validator, nothing: a valid message costs no object and no text for the place of each of its values.
 */
function finish(code: string): string {
  const body = code
    .replace('"use strict";', '')
    .replaceAll(lengthHelper, 'characterCount')
    // A text never has more characters than UTF-16 units.
    .replaceAll(/(func\d+)\((\w+)\) > (\d+)/g, '$2.length > $3 && $1($2) > $3')
    .replaceAll(/schemaPath:"[^"]*",/g, '')
    .replaceAll(/params:\{allowedValues: [^}]*\}/g, 'params:{}')
    .replaceAll(pathParameter, 'instancePath')
    .replaceAll(pathArgument, 'instancePath === undefined ? undefined : instancePath+$1');
  if (/parentData|rootData/.test(body))
    throw new Error('a validator passes a path in a form that is not known');
  if (body.includes('require(')) throw new Error('the validators call a helper that is not ours');
  const lean = withoutUnusedSchemas(body).trim();
  return `import { characterCount, formats } from '#shared/ocpp/formats.ts';\n${lean}\n`;
}
