import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { operation } from '#api/routes/operation.ts';
import { Formed, Named, Nullable, Str, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { type FoundRecord, searchRecords } from '#api/services/reporting/search.service.ts';

const found = (what: string, name: string, detail: string, scope: string) =>
  Type.Unsafe<{ id: string; name: string; detail: string | null }[] | null>({
    ...Nullable(
      Type.Array(
        Type.Object({
          id: Uuid('Identifier.'),
          name: Str(name, 'QUAY-1'),
          detail: Nullable(Str(detail, 'Quay')),
        }),
      ),
    ),
    description: `${what}, at most 5. Null without the scope ${scope}.`,
  });

const Results = Named('SearchResults', {
  chargers: found(
    'Chargers by a part of uid, serial number or EVSE id',
    'OCPP identity.',
    'Name of the location. Null without one.',
    'cpms:read:chargers',
  ),
  sessions: found(
    'Sessions by the transaction id, or by 6 or more first characters of the identifier, newest first',
    'Transaction id.',
    'OCPP identity of the charger.',
    'cpms:read:sessions',
  ),
  drivers: found(
    'Drivers by a part of name, e-mail, phone number or external id',
    'Name.',
    'E-mail address.',
    'cpms:read:users',
  ),
  tokens: found(
    'Tokens by a part of uid, printed number or contract id',
    'Token uid.',
    'Number printed on the card. Null without one.',
    'cpms:read:id-tokens',
  ),
  locations: found(
    'Locations by a part of name, address or city',
    'Name.',
    'Address and city.',
    'cpms:read:locations',
  ),
  evses: found(
    'Chargers by a whole EVSE id with any separators; `id` is the charger',
    'EVSE id.',
    'OCPP identity of the charger.',
    'cpms:read:chargers',
  ),
});

/** Registers the search over all kinds of records. */
export function searchRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /search', null, {
    operationId: 'searchRecords',
    summary: 'Search chargers, sessions, drivers, tokens, locations and EVSEs',
    description: 'Finds at most 5 records of each kind that the scopes of the caller read.',
    querystring: Type.Object({
      q: Formed(
        'text of 2 to 100 characters without control characters',
        String.raw`^[^\u0000-\u001f\u007f]*$`,
        {
          minLength: 2,
          maxLength: 100,
          description: 'Text to search for, in any case.',
          examples: ['quay'],
        },
      ),
      ...networkQuery,
    }),
    response: { 200: Envelope(Results, 'The records.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const { query } = request;
      const results = await searchRecords(deps, callerOf(request), networkOf(query), query.q);
      const { chargers, sessions, drivers, tokens, locations, evses } = results;
      return success({
        chargers: view(chargers),
        sessions: view(sessions),
        drivers: view(drivers),
        tokens: view(tokens),
        locations: view(locations),
        evses: view(evses),
      });
    },
  });
}

function view(records: FoundRecord[] | null) {
  return records && records.map(({ uuid, name, detail }) => ({ id: uuid, name, detail }));
}
