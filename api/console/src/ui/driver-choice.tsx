import { api, type Schemas } from '../api/client.ts';
import { ObjectChoice } from './object-choice.tsx';

interface Props {
  label: string;
  placeholder: string;
  value: string | undefined;
  /** Network of the drivers; the chosen one when left out. */
  networkUuid?: string | undefined;
  onChange: (uuid: string | undefined) => void;
}

const optionOf = ({ id, name, email }: Pick<Schemas['Driver'], 'id' | 'name' | 'email'>) => ({
  id,
  name: `${name} · ${email}`,
});

/** Choice of a driver by a part of name, e-mail address, telephone or customer number. */
export function DriverChoice(props: Props) {
  return (
    <ObjectChoice
      {...props}
      kind="driver"
      find={async (text, network) => {
        const query = { ...network, pageSize: 20, sort: 'name' as const };
        const found = await api.GET('/cpms/v1/users', {
          params: { query: text === '' ? query : { ...query, search: text } },
        });
        return found.map(optionOf);
      }}
      read={async (uuid) => optionOf(await api.GET('/cpms/v1/users/{uuid}', { params: { path: { uuid } } }))}
    />
  );
}
