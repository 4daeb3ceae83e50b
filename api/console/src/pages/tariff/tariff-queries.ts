import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { useNetworks } from '../../app/caller.tsx';

export type Tariff = Schemas['Tariff'];
export type TariffElement = Tariff['elements'][number];
export type PriceComponent = Schemas['TariffPriceComponent'];
export type Assignment = Schemas['TariffAssignment'];

/** Parts of a tariff that make its price. */
export type Prices = Pick<Tariff, 'currency' | 'elements' | 'idle' | 'min_price' | 'max_price'>;

/** Key of everything about a tariff. */
export const tariffKey = (uuid: string) => ['tariff', uuid] as const;

/** Key of the lists of tariffs. */
export const tariffsKey = ['tariffs'] as const;

export const tariffQuery = (uuid: string) =>
  queryOptions({
    queryKey: [...tariffKey(uuid), 'detail'],
    queryFn: () => api.GET('/cpms/v1/tariffs/{uuid}', { params: { path: { uuid } } }),
  });

/** Header that makes a change fail when another user changed the tariff since. */
export const unchanged = ({ version }: Pick<Tariff, 'version'>) => ({ 'if-match': `"${version}"` });

/** Returns the network of a tariff; undefined when it is not among the loaded ones. */
export function useTariffNetwork(networkId: number): Schemas['Network'] | undefined {
  return useNetworks().find((network) => network.networkId === networkId);
}
