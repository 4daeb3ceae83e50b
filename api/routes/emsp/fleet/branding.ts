import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { problems } from '#api/plugins/openapi/error-schemas.ts';
import { operation } from '#api/routes/operation.ts';
import { idParams, Nullable, Str, Uuid } from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { readNetwork } from '#api/services/fleet/network-registry.ts';

const Color = Nullable(Str('Color as #rrggbb. Null when none is set.', '#0a5c8f'));
const Url = Nullable(Str('URL. Null when none is set.', 'https://harbour.example/logo.png'));

const Branding = Type.Object(
  {
    networkId: Uuid('Network identifier.'),
    name: Str('Name of the network.', 'Harbour Charging'),
    logoUrl: Url,
    primaryColor: Color,
    secondaryColor: Color,
    website: Url,
    supportEmail: Nullable(
      Str('E-mail address of the support. Null when none is set.', 'help@harbour.example'),
    ),
    supportPhone: Nullable(Str('Telephone number of the support. Null when none is set.', '+31 10 123 4568')),
  },
  { title: 'Branding', description: 'Branding of the network.' },
);

/** Registers the route of a network's branding, which is public. */
export function brandingRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /networks/:networkId/branding', 'emsp:public', {
    operationId: 'getBranding',
    summary: 'Get the name, logo and colors of a network',
    description: 'Available to any key of the network.',
    params: idParams('Network', 'networkId'),
    response: { 200: Branding, ...problems('Branding', 'NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const network = await readNetwork(deps, callerOf(request), request.params.networkId);
      const { uuid, name, logoUrl, primaryColor, secondaryColor, website, supportEmail, supportPhone } =
        network;
      return {
        networkId: uuid,
        name,
        logoUrl,
        primaryColor,
        secondaryColor,
        website,
        supportEmail,
        supportPhone,
      };
    },
  });
}
