import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import { operation } from '#api/routes/operation.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { listOcpiTariffs, type OcpiTariff, readOcpiTariff } from '#api/services/roaming/tariffs.service.ts';
import { tariffObject } from '#api/services/roaming/wire/v221/tariff.ts';
import {
  OcpiEnvelope,
  ocpiErrors,
  OcpiListEnvelope,
  ocpiListQuery,
  ocpiSuccess,
  sliceOf,
  setSliceHeaders,
} from './envelope.ts';
import { type Form, form, listOf } from './form.ts';
import { StandardTariff } from './standard/tariff.ts';
import { surfaces } from './surfaces.ts';

const config = { ocpiModule: 'tariffs' };

/** Paths of tariffs in the document, with the suffixes of their operation ids. */
const documented = { '/2.2/tariffs': '22', '/2.2.1/tariffs': '221', '/cpo/2.2/tariffs': 'Cpo22' };

const documentedForm = form(StandardTariff, tariffObject);

/**
 * Registers the routes of assigned tariffs of a partner's network: three paths on the documented surface, one on each
 * that follows a standard.
 */
export function tariffRoutes(app: App, deps: ApiDeps): void {
  for (const [path, end] of Object.entries(documented)) {
    listRoute(app, deps, path, end, documentedForm);
    objectRoute(app, deps, path, end);
  }
  if (!deps.settings.ocpiStrict) return;
  // The Sender interface of §11.2.1 has the list only.
  for (const { version, end, tariff } of surfaces) {
    listRoute(app, deps, `/cpo/${version}/tariffs`, `Cpo${end}`, tariff);
  }
}

function listRoute(app: App, deps: ApiDeps, path: string, end: string, tariff: Form<OcpiTariff>): void {
  operation(app, `GET ${path}`, config, {
    operationId: `ocpiListTariffs${end}`,
    summary:
      'List the assigned tariffs, oldest first; one whose assignments ended has an `end_date_time` in the past',
    description:
      "Prices are in the major unit of the tariff's currency. `date_from` and `date_to` select by " +
      '`last_updated`.',
    querystring: Type.Object(ocpiListQuery),
    response: {
      200: OcpiListEnvelope(tariff.schema, 'One slice of the tariffs.'),
      ...ocpiErrors(),
    },
    handler: async (request, reply) => {
      const slice = sliceOf(request.query);
      const { rows, total } = await listOcpiTariffs(deps, partnerOf(request), slice);
      setSliceHeaders(reply, `${deps.settings.publicUrl}/ocpi${path}`, request.query, slice, total);
      return ocpiSuccess(listOf(tariff, rows));
    },
  });
}

function objectRoute(app: App, deps: ApiDeps, path: string, end: string): void {
  operation(app, `GET ${path}/:tariff_id`, config, {
    operationId: `ocpiGetTariff${end}`,
    summary: 'Get a tariff that is or was assigned',
    description: "Prices are in the major unit of the tariff's currency.",
    params: Type.Object({ tariff_id: Type.String({ maxLength: 36, description: 'Tariff identifier.' }) }),
    response: { 200: OcpiEnvelope(StandardTariff, 'The tariff.'), ...ocpiErrors('TARIFF_NOT_FOUND') },
    handler: async (request) => {
      const tariff = await readOcpiTariff(deps, partnerOf(request), request.params.tariff_id);
      return ocpiSuccess(tariffObject(tariff));
    },
  });
}
