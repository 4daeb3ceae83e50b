import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import { operation } from '#api/routes/operation.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { listPartnerCdrs, readPartnerCdr } from '#api/services/roaming/cdrs.service.ts';
import type { Cdr as Cdr221 } from '#api/services/roaming/wire/v221/cdr.ts';
import {
  OcpiEnvelope,
  ocpiErrors,
  OcpiListEnvelope,
  ocpiListQuery,
  ocpiSuccess,
  sliceOf,
  setSliceHeaders,
} from './envelope.ts';
import { type Form, listOf } from './form.ts';
import { cdrs } from './standard/surface.ts';
import type { Surface } from './surface.ts';
import { surfaces } from './surfaces.ts';

const config = { ocpiModule: 'cdrs' };
const CdrId = Type.String({ minLength: 1, maxLength: 39, description: 'CDR identifier.' });
const units = 'Costs are in the major unit of the currency, `total_time` is in hours, `total_energy` in kWh.';
const one = ({ schema }: Form<Cdr221>) => ({
  summary: 'Get a CDR of the calling party; it never changes',
  description: `${units} CDRs of other parties are not found.`,
  response: { 200: OcpiEnvelope(schema, 'The CDR.'), ...ocpiErrors('CDR_NOT_FOUND') },
});
type CdrForms = Pick<Surface, 'version' | 'end' | 'cdr'>;

/** Registers the routes of the partner's own CDRs, on all surfaces (OCPI 2.2.1 §10.2.1). */
export function cdrRoutes(app: App, deps: ApiDeps): void {
  cdrList(app, deps, { version: '2.2', end: '22', cdr: cdrs });
  operation(app, 'GET /cpo/2.2/cdrs/:country_code/:party_id/:cdr_id', config, {
    ...one(cdrs),
    operationId: 'ocpiGetCdr22',
    params: Type.Object({
      country_code: Type.String({
        minLength: 2,
        maxLength: 2,
        description: 'Country of the CPO (ISO 3166-1 alpha-2).',
      }),
      party_id: Type.String({
        minLength: 3,
        maxLength: 3,
        description: 'OCPI party identifier of the CPO.',
      }),
      cdr_id: CdrId,
    }),
    handler: async (request) => {
      const { params } = request;
      return ocpiSuccess(await readPartnerCdr(deps, partnerOf(request), params.cdr_id, params));
    },
  });
  if (!deps.settings.ocpiStrict) return;
  for (const surface of surfaces) standardCdrs(app, deps, surface);
}

function standardCdrs(app: App, deps: ApiDeps, forms: CdrForms & Pick<Surface, 'hasSingleReads'>): void {
  const { version, end, cdr } = forms;
  cdrList(app, deps, forms);
  if (!forms.hasSingleReads) return;
  operation(app, `GET /cpo/${version}/cdrs/:cdr_id`, config, {
    ...one(cdr),
    operationId: `ocpiGetCdr${end}`,
    params: Type.Object({ cdr_id: CdrId }),
    handler: async (request) => {
      const { cdr_id: id } = request.params;
      return ocpiSuccess(cdr.view(await readPartnerCdr(deps, partnerOf(request), id, null)));
    },
  });
}

function cdrList(app: App, deps: ApiDeps, { version, end, cdr }: CdrForms): void {
  operation(app, `GET /cpo/${version}/cdrs`, config, {
    operationId: `ocpiListCdrs${end}`,
    summary: 'List the CDRs of the calling party, oldest first; corrections are a credit CDR and a new CDR',
    description: `${units} \`date_from\` and \`date_to\` select by \`last_updated\`.`,
    querystring: Type.Object(ocpiListQuery),
    response: { 200: OcpiListEnvelope(cdr.schema, 'The CDRs.'), ...ocpiErrors() },
    handler: async (request, reply) => {
      const slice = sliceOf(request.query);
      const { rows, total } = await listPartnerCdrs(deps, partnerOf(request), slice);
      setSliceHeaders(
        reply,
        `${deps.settings.publicUrl}/ocpi/cpo/${version}/cdrs`,
        request.query,
        slice,
        total,
      );
      return ocpiSuccess(listOf(cdr, rows));
    },
  });
}
