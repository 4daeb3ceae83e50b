const withoutEmptyLists =
  'Libraries of partners refuse lists without items, which are left out: read a missing list as an empty one.';

const refusedBefore = 'Other values were refused before as well, with 2001 in place of a rule of the schema.';

/**
 * Breaking changes of the API since the baseline, as the comparison names them, each with the reason and the way to migrate.
 * Each is also an entry of docs/CHANGELOG.md. A new baseline empties the list.
 */
export const acceptedBreaks: Readonly<Record<string, string>> = {
  'POST /cpms/v1/chargers body.serial: new pattern': 'It is wider: each serial that was accepted still is.',
  'GET /cpms/v1/webhooks/{uuid}/deliveries query eventId: new pattern':
    'An event has no such id: it was an error 500.',
  'PATCH /ocpi/cpo/2.2/sessions/{country_code}/{party_id}/{session_id} body.currency: new pattern':
    refusedBefore,
  'PATCH /ocpi/cpo/2.2/sessions/{country_code}/{party_id}/{session_id} body.status: no longer accepts other values':
    refusedBefore,
  'PATCH /ocpi/cpo/2.2/sessions/{country_code}/{party_id}/{session_id} body.authMethod: no longer accepts other values':
    refusedBefore,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].related_locations: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].evses: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].directions: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].facilities: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].images: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].evses[].status_schedule: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].evses[].capabilities: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].evses[].directions: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].evses[].parking_restrictions: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].evses[].images: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations 200.data[].evses[].connectors[].tariff_ids: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.related_locations: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.evses: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.directions: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.facilities: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.images: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.evses[].status_schedule: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.evses[].capabilities: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.evses[].directions: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.evses[].parking_restrictions: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.evses[].images: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id} 200.data.evses[].connectors[].tariff_ids: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid} 200.data.status_schedule: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid} 200.data.capabilities: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid} 200.data.directions: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid} 200.data.parking_restrictions: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid} 200.data.images: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid} 200.data.connectors[].tariff_ids: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/locations/{location_id}/{evse_uid}/{connector_id} 200.data.tariff_ids: became optional':
    withoutEmptyLists,
  'GET /ocpi/2.2/tariffs 200.data[].tariff_alt_text: became optional': withoutEmptyLists,
  'GET /ocpi/2.2/tariffs/{tariff_id} 200.data.tariff_alt_text: became optional': withoutEmptyLists,
  'GET /ocpi/2.2.1/tariffs 200.data[].tariff_alt_text: became optional': withoutEmptyLists,
  'GET /ocpi/2.2.1/tariffs/{tariff_id} 200.data.tariff_alt_text: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2/tariffs 200.data[].tariff_alt_text: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2/tariffs/{tariff_id} 200.data.tariff_alt_text: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/tariffs 200.data[].tariff_alt_text: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2/sessions 200.data[].charging_periods: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2/sessions/{country_code}/{party_id}/{session_id} 200.data.charging_periods: became optional':
    withoutEmptyLists,
  'PATCH /ocpi/cpo/2.2/sessions/{country_code}/{party_id}/{session_id} 200.data.charging_periods: became optional':
    withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/sessions 200.data[].charging_periods: became optional': withoutEmptyLists,
  'GET /ocpi/cpo/2.2.1/sessions/{session_id} 200.data.charging_periods: became optional': withoutEmptyLists,
  'POST /cpms/v1/charger-models/{modelId}/firmware body.ocppVersionSupport: new pattern':
    'It accepts every value that it accepted before, and OCPP 2.1.',
};
