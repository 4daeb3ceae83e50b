import { Type } from 'typebox';
import type { App } from '#api/plugins/app-instance.ts';
import { callerOf } from '#api/plugins/auth.ts';
import { cpmsErrors } from '#api/plugins/openapi/error-schemas.ts';
import { Envelope, success } from '#api/routes/cpms/kernel/envelope.ts';
import { networkOf, networkQuery } from '#api/routes/cpms/kernel/network-query.ts';
import { operation } from '#api/routes/operation.ts';
import {
  DateTime,
  Decimal,
  Formed,
  Integer,
  isoOrNull,
  Named,
  Nullable,
  Str,
  Uuid,
} from '#api/routes/schema.ts';
import type { ApiDeps } from '#api/services/deps.ts';
import { money } from '#api/services/reporting/session-totals.ts';
import {
  readWorkList,
  type SectionName,
  sectionNames,
  type WorkItem,
  type WorkSection,
} from '#api/services/reporting/work-list.service.ts';

/** Maximum number of records of each section. */
const maxItems = 3;

const Item = Named('WorkItem', {
  id: Uuid('Identifier of the record.'),
  chargerId: Nullable(Uuid('Charger of the record. Null without one.')),
  name: Str(
    'OCPP identity of the charger, identity of the rejected connection, name of the driver, or object of the alert.',
    'QUAY-1',
  ),
  connectorNumber: Nullable(
    Integer('Number of the faulted connector at the charger. Null: not about a connector.', 1),
  ),
  reasons: Type.Array(Type.String(), {
    description:
      'Codes of the reasons. `faulted`: the error code of the connector. `offline`: disconnected, or silent for five minutes. ' +
      '`rejected`: the reason of the rejection. `inReview`: flags of the session. `stuckUpdates`: status of the update. ' +
      '`alerts`: kind of the alert.',
    examples: [['GroundFailure']],
  }),
  amount: Nullable(
    Decimal(
      'Price in review with VAT, or amount owed, in the major unit of `currency`. Null without one.',
      12.5,
    ),
  ),
  currency: Nullable(Str('Currency of the amount (ISO 4217).', 'EUR')),
  since: Nullable(DateTime('Start of the condition. Null when it is not known.')),
});

const Section = (records: string, scope: string) =>
  Type.Unsafe<{ count: number; items: ReturnType<typeof itemView>[] } | null>({
    ...Nullable(
      Type.Object({
        count: Integer('Number of all records.', 7),
        items: Type.Array(Item, { description: `The first ${maxItems} records.` }),
      }),
    ),
    description: `${records}. Null without the scope ${scope}, and when the section was not requested.`,
  });

const WorkList = Named('WorkList', {
  faulted: Section(
    'Online chargers that report a fault, newest first. The list of chargers selects them with `hasFault`',
    'cpms:read:chargers',
  ),
  offline: Section('Chargers that are offline, newest first', 'cpms:read:chargers'),
  rejected: Section('Rejected connections, latest attempt first', 'cpms:read:chargers'),
  inReview: Section('Sessions whose price is in review, the highest price first', 'cpms:read:sessions'),
  unpaid: Section(
    'Wallets that were short of the price of a session, the highest debt first',
    'cpms:read:wallets',
  ),
  stuckUpdates: Section(
    'Chargers whose newest firmware update failed or does not progress, newest first. The list of chargers selects them with ' +
      '`hasStuckUpdate`',
    'cpms:read:chargers',
  ),
  alerts: Section('Open alerts, critical ones first', 'cpms:read:alerts'),
});

const Sections = Formed(
  `one or several of ${sectionNames.join(', ')}, separated by commas`,
  `^(?:${sectionNames.join('|')})(?:,(?:${sectionNames.join('|')}))*$`,
  { description: 'Sections to read, separated by commas. Default: all.', examples: ['alerts,inReview'] },
);

/** Registers the route of the records that need an operator. */
export function workListRoutes(app: App, deps: ApiDeps): void {
  operation(app, 'GET /work-list', null, {
    operationId: 'getWorkList',
    summary: 'Get the records that need an operator',
    description:
      'Faults, offline chargers, rejected connections, sessions in review, unpaid sessions and stuck firmware updates: the ' +
      'number of each, and the first ones with their reasons. Each section needs the scope that reads its records.',
    querystring: Type.Object({ ...networkQuery, sections: Type.Optional(Sections) }),
    response: { 200: Envelope(WorkList, 'The records.'), ...cpmsErrors('NETWORK_NOT_FOUND') },
    handler: async (request) => {
      const { query } = request;
      const names = query.sections?.split(',') as SectionName[] | undefined;
      const list = await readWorkList(deps, callerOf(request), networkOf(query), maxItems, names);
      return success({
        faulted: sectionView(list.faulted),
        offline: sectionView(list.offline),
        rejected: sectionView(list.rejected),
        inReview: sectionView(list.inReview),
        unpaid: sectionView(list.unpaid),
        stuckUpdates: sectionView(list.stuckUpdates),
        alerts: sectionView(list.alerts),
      });
    },
  });
}

function sectionView(section: WorkSection | null) {
  return section && { count: section.count, items: section.items.map(itemView) };
}

function itemView(item: WorkItem) {
  const { uuid, chargerUuid, name, connectorNumber, reasons, amountMinor, currency, since } = item;
  return {
    id: uuid,
    chargerId: chargerUuid,
    name,
    connectorNumber,
    reasons,
    amount: amountMinor === null || currency === null ? null : money(amountMinor, currency),
    currency,
    since: isoOrNull(since),
  };
}
