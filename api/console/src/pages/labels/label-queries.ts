import { queryOptions } from '@tanstack/react-query';
import { allPages } from '../../api/all-pages.ts';
import { bodies, type Schemas } from '../../api/client.ts';

/** Chosen chargers: all of a location, or one. */
export interface LabelChoice {
  location?: string | undefined;
  charger?: string | undefined;
}

export interface Label {
  connector: Schemas['Connector'];
  charger: Schemas['ChargerSummary'];
}

/** Maximum number of labels of a page. */
export const maxLabels = 500;

const pageSize = 100;

/** Labels of the connectors of a choice, by charger and number. */
export const labelsQuery = ({ location, charger }: LabelChoice) =>
  queryOptions({
    queryKey: ['labels', location, charger],
    enabled: location !== undefined || charger !== undefined,
    queryFn: async (): Promise<Label[]> => {
      const connectors = await readConnectors({ locationUuid: location, chargerUuid: charger });
      const chargers = new Map((await readChargers(location, charger)).map((one) => [one.id, one]));
      return connectors
        .flatMap((connector) => {
          const found = chargers.get(connector.chargerId);
          return found === undefined ? [] : [{ connector, charger: found }];
        })
        .toSorted(
          (a, b) => a.charger.uid.localeCompare(b.charger.uid) || a.connector.number - b.connector.number,
        );
    },
  });

const readConnectors = (filter: { locationUuid: string | undefined; chargerUuid: string | undefined }) =>
  allPages(
    (cursor) => bodies.GET('/cpms/v1/connectors', { params: { query: { ...filter, pageSize, cursor } } }),
    maxLabels,
  );

async function readChargers(
  location: string | undefined,
  charger: string | undefined,
): Promise<Schemas['ChargerSummary'][]> {
  if (charger !== undefined) {
    const found = await bodies.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid: charger } } });
    return [found.data as unknown as Schemas['ChargerSummary']];
  }
  const rows: Schemas['ChargerSummary'][] = [];
  for (let page = 1; rows.length < maxLabels; page += 1) {
    const query = { locationUuid: location, sort: 'name' as const, page, pageSize };
    const { data, pagination } = await bodies.GET('/cpms/v1/chargers', { params: { query } });
    rows.push(...data);
    if (page >= pagination.totalPages) break;
  }
  return rows;
}

/** Returns the address of a connector at which drivers start. */
export function chargingAddress(template: string, { connector }: Label): string {
  return template
    .replaceAll('{connectorId}', connector.id)
    .replaceAll('{chargerId}', connector.chargerId)
    .replaceAll('{connectorNumber}', String(connector.number));
}
