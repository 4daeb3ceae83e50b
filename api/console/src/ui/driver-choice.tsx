import { api, dataOf } from '../api/client.ts';
import { ObjectChoice } from './object-choice.tsx';

interface Props {
  label: string;
  placeholder: string;
  /** Id of the chosen driver. */
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** Choice of a driver by e-mail address, name or phone number. */
export function DriverChoice(props: Props) {
  return (
    <ObjectChoice
      {...props}
      kind="driver"
      find={async (text, network) => {
        const query = { ...network, pageSize: 20, ...(text !== '' && { search: text }) };
        const drivers = await dataOf(api.GET('/cpms/v1/users', { params: { query } }));
        return drivers.map(({ id, email }) => ({ id, name: email }));
      }}
      read={async (uuid) => {
        const { id, email } = await dataOf(api.GET('/cpms/v1/users/{uuid}', { params: { path: { uuid } } }));
        return { id, name: email };
      }}
    />
  );
}
