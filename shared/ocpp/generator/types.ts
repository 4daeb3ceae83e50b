import { actionsOf } from '#shared/ocpp/actions.ts';
import type { OcppVersion } from '#shared/domain/fleet/ocpp-version.ts';
import type { Schema, SchemaSet } from './schema.ts';

/**
 * The TypeScript types of a version: an interface for every message and every named type, and the maps `Requests`
 * and `Responses` by action name. They describe what passes the tolerant rules, so an open enumeration is a string.
 */
export function typeModule(version: OcppVersion, set: SchemaSet): string {
  const named = { ...set.definitions, ...set.messages };
  const declarations = Object.entries(named).map(([name, schema]) => declare(name, schema));
  const maps = ['Request', 'Response'].map((kind) => {
    const lines = actionsOf(version)
      .filter((action) => set.messages[`${action}${kind}`] !== undefined)
      .map((action) => `  ${action}: ${action}${kind};\n`);
    return `export interface ${kind}s {\n${lines.join('')}}\n`;
  });
  return [...declarations, ...maps].join('\n');
}

function declare(name: string, schema: Schema): string {
  const type = typeOf(schema, '');
  return type.startsWith('{') ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/definitions/', '');
  if (schema.enum !== undefined) return schema.enum.map((word) => `'${word}'`).join(' | ');
  const types = [schema.type ?? 'unknown'].flat();
  return types.map((type) => plainType(type, schema, indent)).join(' | ');
}

function plainType(type: string, schema: Schema, indent: string): string {
  if (type === 'integer') return 'number';
  if (type === 'object') return objectType(schema, indent);
  if (type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`;
  return type;
}

function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return 'Record<string, never>';
  const lines = properties.map(([name, property]) => {
    const optional = schema.required?.includes(name) ? '' : '?';
    return `${indent}  ${name}${optional}: ${typeOf(property, `${indent}  `)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}
