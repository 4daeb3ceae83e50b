import { type Static, Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { partnerOf } from '#api/plugins/ocpi-partner.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { listPartnerCdrs, readPartnerCdr } from '#api/services/roaming/cdrs.ts';
import {
  OcpiEnvelope,
  ocpiErrors,
  OcpiListEnvelope,
  ocpiListQuery,
  ocpiSuccess,
  sliceOf,
  setSliceHeaders,
} from './envelope.ts';
import { Cdr } from './standard/cdr.ts';

const config = { ocpiModule: 'cdrs' };
const tags = ['roaming'];
const CdrId = Type.String({ minLength: 1, maxLength: 39, description: 'CDR identifier.' });
const one = {
  tags,
  summary: 'Get a CDR of the calling party; it never changes',
  response: { 200: OcpiEnvelope(Cdr, 'The CDR.'), ...ocpiErrors('CDR_NOT_FOUND') },
};

/** Registers the routes of the partner's own CDRs, on the documented and the standard surface (OCPI 2.2.1 §10.2.1). */
export function cdrRoutes(app: App, deps: ApiDeps): void {
  cdrList(app, deps, '2.2');
  app.route({
    method: 'GET',
    url: '/cpo/2.2/cdrs/:country_code/:party_id/:cdr_id',
    config,
    schema: {
      ...one,
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
    },
    handler: async (request) => {
      const { params } = request;
      return ocpiSuccess(sent(await readPartnerCdr(deps, partnerOf(request), params.cdr_id, params)));
    },
  });
  if (deps.settings.ocpiStrict) standardCdrs(app, deps);
}

function standardCdrs(app: App, deps: ApiDeps): void {
  cdrList(app, deps, '2.2.1');
  app.route({
    method: 'GET',
    url: '/cpo/2.2.1/cdrs/:cdr_id',
    config,
    schema: { ...one, operationId: 'ocpiGetCdr221', params: Type.Object({ cdr_id: CdrId }) },
    handler: async (request) => {
      const { cdr_id: id } = request.params;
      return ocpiSuccess(sent(await readPartnerCdr(deps, partnerOf(request), id, null)));
    },
  });
}

function cdrList(app: App, deps: ApiDeps, version: '2.2' | '2.2.1'): void {
  app.route({
    method: 'GET',
    url: `/cpo/${version}/cdrs`,
    config,
    schema: {
      tags,
      operationId: `ocpiListCdrs${version.replaceAll('.', '')}`,
      summary: 'List the CDRs of the calling party, oldest first; corrections are a credit CDR and a new CDR',
      querystring: Type.Object(ocpiListQuery),
      response: { 200: OcpiListEnvelope(Cdr, 'The CDRs.'), ...ocpiErrors() },
    },
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
      return ocpiSuccess(rows.map(sent));
    },
  });
}

/** Returns sealed CDRs unchanged. */
function sent(cdr: object): Static<typeof Cdr> {
  return cdr as Static<typeof Cdr>;
}
