import { api } from '../api/client.ts';
import { ObjectChoice } from './object-choice.tsx';

interface Props {
  label: string;
  placeholder: string;
  /** Identifier of the chosen one. */
  value: string | undefined;
  /** Network of the objects; the chosen one when left out. */
  networkUuid?: string | undefined;
  onChange: (id: string | undefined) => void;
}

const foundSize = 20;

const searched = (text: string) => (text === '' ? {} : { search: text });

/** Choice of a charger of a network. */
export function ChargerChoice(props: Props) {
  return (
    <ObjectChoice
      {...props}
      kind="charger"
      find={async (text, network) => {
        const query = { ...network, pageSize: foundSize, ...searched(text) };
        const found = await api.GET('/cpms/v1/chargers', { params: { query } });
        return found.map(({ id, uid }) => ({ id, name: uid }));
      }}
      read={async (uuid) => {
        const { uid } = await api.GET('/cpms/v1/chargers/{uuid}', { params: { path: { uuid } } });
        return { id: uuid, name: uid };
      }}
    />
  );
}

/** Choice of a location of a network. */
export function LocationChoice(props: Props) {
  return (
    <ObjectChoice
      {...props}
      kind="location"
      find={(text, network) => {
        const query = { ...network, pageSize: foundSize, ...searched(text) };
        return api.GET('/cpms/v1/locations', { params: { query } });
      }}
      read={(uuid) => api.GET('/cpms/v1/locations/{uuid}', { params: { path: { uuid } } })}
    />
  );
}
