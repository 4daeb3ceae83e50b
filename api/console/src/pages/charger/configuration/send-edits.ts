import { api } from '../../../api/client.ts';
import { type Outcome, recordOutcome, recordValues } from './edits.ts';
import { pathId, type Setting, type VariablePath } from './setting.ts';

/** Setting with the value to send. */
export interface Change {
  setting: Setting;
  value: string;
}

const maxVariables = 100;

/** Sends values to a charger and keeps the outcome of each. Keys of OCPP 1.6 are sent one after the other. */
export async function sendEdits(chargerId: string, changes: readonly Change[]): Promise<void> {
  const record = ({ setting, value }: Change, state: Outcome['state'], reason: string | null) =>
    recordOutcome(chargerId, setting.id, { state, before: setting.value, sent: value, reason });
  for (const change of changes) record(change, 'pending', null);
  for (const change of changes.filter(({ setting }) => setting.variable === null)) {
    try {
      const { accepted, result } = await sendKey(chargerId, change);
      record(change, stateOf(accepted, result.status), result.status);
    } catch (error) {
      record(change, 'rejected', messageOf(error));
    }
  }
  const variables = changes.filter(({ setting }) => setting.variable !== null);
  for (let at = 0; at < variables.length; at += maxVariables) {
    const part = variables.slice(at, at + maxVariables);
    try {
      const statuses = await sendVariables(chargerId, part);
      for (const change of part) {
        const status = statuses.get(change.setting.id) ?? null;
        record(change, stateOf(status === 'Accepted', status), status);
      }
    } catch (error) {
      for (const change of part) record(change, 'rejected', messageOf(error));
    }
  }
}

function stateOf(accepted: boolean, status: string | null): Outcome['state'] {
  if (status === 'RebootRequired') return 'reboot';
  return accepted ? 'accepted' : 'rejected';
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function sendKey(chargerUuid: string, { setting, value }: Change) {
  const params = { path: { chargerUuid } };
  const body = { key: setting.name, value };
  return api.POST('/cpms/v1/chargers/{chargerUuid}/configuration', { params, body });
}

async function sendVariables(chargerUuid: string, changes: readonly Change[]) {
  const variables = changes.flatMap(({ setting: { variable }, value }) =>
    variable === null ? [] : [{ ...selectorOf(variable), value }],
  );
  const { result } = await api.POST('/cpms/v1/chargers/{chargerUuid}/variables/set', {
    params: { path: { chargerUuid } },
    body: { variables },
  });
  return new Map(result.map((each) => [pathId(each), each.status]));
}

/** Reads the values of variables from the charger. */
export async function readValues(chargerUuid: string, settings: readonly Setting[]): Promise<void> {
  const paths = settings.flatMap(({ variable, access }) =>
    variable === null || access === 'writeOnly' ? [] : [selectorOf(variable)],
  );
  for (let at = 0; at < paths.length; at += maxVariables) {
    const variables = paths.slice(at, at + maxVariables);
    const { result } = await api.POST('/cpms/v1/chargers/{chargerUuid}/variables/get', {
      params: { path: { chargerUuid } },
      body: { variables },
    });
    recordValues(
      chargerUuid,
      result.filter(({ status }) => status === 'Accepted').map((each) => [pathId(each), each.value]),
    );
  }
}

/** Absent parts of an address are left out. */
function selectorOf(path: VariablePath) {
  const { component, variable, attributeType, componentInstance, evseId, connectorId, variableInstance } =
    path;
  return {
    component,
    variable,
    attributeType,
    ...(componentInstance === null ? {} : { componentInstance }),
    ...(evseId === null ? {} : { evseId }),
    ...(connectorId === null ? {} : { connectorId }),
    ...(variableInstance === null ? {} : { variableInstance }),
  };
}
