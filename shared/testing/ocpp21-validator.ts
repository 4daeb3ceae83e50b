import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

interface NamedSchema {
  $id: string;
}

let validator: unknown;

/**
 * Returns the validator of OCPP 2.1 of `ocpp-rpc`, whose schemas do not come from ours. Its client looks up the names of earlier
 * versions, which its schemas of 2.1 do not have.
 */
export function ocpp21Validator(): unknown {
  // Compiling its 182 schemas takes a second.
  validator ??= compiled();
  return validator;
}

function compiled(): unknown {
  const { createValidator } = require('ocpp-rpc') as {
    createValidator: (protocol: string, schemas: NamedSchema[]) => unknown;
  };
  const schemas = require('ocpp-rpc/lib/schemas/ocpp2_1.json') as NamedSchema[];
  const renamed = schemas.map((schema) => ({
    ...schema,
    $id: schema.$id.replace(/Request$/, '.req').replace(/Response$/, '.conf'),
  }));
  return createValidator('ocpp2.1', renamed);
}
