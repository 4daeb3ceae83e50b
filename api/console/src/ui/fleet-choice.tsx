import { api, dataOf } from '../api/client.ts';
import { useNetworkQuery } from '../app/network-switcher.tsx';
import { ObjectChoice } from './object-choice.tsx';

interface Props {
  label: string;
  placeholder: string;
  /** Identifier of the chosen one. */
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

const foundSize = 20;

const searched = (text: string) => (text === '' ? {} : { search: text });

/** Choice of a charger of the network. */
export function ChargerChoice(props: Props) {
  const network = useNetworkQuery();
  return (
    <ObjectChoice
      {...props}
      kind="charger"
      find={async (text) => {
        const query = { ...network, pageSize: foundSize, ...searched(text) };
        const found = await dataOf(api.GET('/cpms/v1/chargers', { params: { query } }));
        return found.map(({ id, uid }) => ({ id, name: uid }));
      }}
      read={async (uuid) => {
        const { uid } = await dataOf(api.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid } } }));
        return { id: uuid, name: uid };
      }}
    />
  );
}

/** Choice of a location of the network. */
export function LocationChoice(props: Props) {
  const network = useNetworkQuery();
  return (
    <ObjectChoice
      {...props}
      kind="location"
      find={(text) => {
        const query = { ...network, pageSize: foundSize, ...searched(text) };
        return dataOf(api.GET('/cpms/v1/locations', { params: { query } }));
      }}
      read={(uuid) => dataOf(api.GET('/cpms/v1/locations/{uuid}', { params: { path: { uuid } } }))}
    />
  );
}
