import type { DividedRequest, LimitName } from '#gateway/protocol/divided-request.ts';

/** An action whose request holds a list that the device model limits. */
interface DividedAction {
  limits: LimitName;
  /** Field of the request that holds the list. */
  list: string;
  merge: (items: readonly unknown[], answers: readonly object[]) => unknown;
}

type Fields = Record<string, unknown>;

/** Joins one list of results, in the order of the request. */
function results(field: string, isOf: (result: Fields, item: unknown) => boolean) {
  return (items: readonly unknown[], answers: readonly object[]): unknown => {
    const left = answers.flatMap((answer) => (answer as Record<string, Fields[]>)[field] ?? []);
    const ordered = items.flatMap((item) => {
      const index = left.findIndex((result) => isOf(result, item));
      return index === -1 ? [] : left.splice(index, 1);
    });
    return { [field]: [...ordered, ...left] };
  };
}

/** Returns true when a result is about the same attribute of a variable as an item; names are compared without case. */
function isSameVariable(result: Fields, item: unknown): boolean {
  return nameOf(result) === nameOf(item as Fields);
}

function nameOf({ component, variable, attributeType, type }: Fields): string {
  const { name, instance, evse } = component as { name: string; instance?: string; evse?: Fields };
  const named = variable as { name: string; instance?: string };
  const place = [name, instance, evse?.['id'], evse?.['connectorId'], named.name, named.instance];
  return JSON.stringify([...place, attributeType ?? 'Actual', type]).toLowerCase();
}

/** Joins answers of GenericDeviceModelStatusEnumType: a refused part counts, then one that reports something. */
function statuses(_items: readonly unknown[], answers: readonly object[]): unknown {
  const all = answers as { status: string }[];
  return (
    all.find(({ status }) => status !== 'Accepted' && status !== 'EmptyResultSet') ??
    all.find(({ status }) => status === 'Accepted') ??
    all[0]
  );
}

const reportLimits = { component: 'DeviceDataCtrlr', instance: 'GetReport' } as const;

/** B05.FR.11, B06.FR.05, B08.FR.17, N02.FR.07, and the limits of MonitoringCtrlr (part 2, chapter 2). */
const dividedActions: Partial<Record<string, DividedAction>> = {
  GetVariables: {
    limits: { component: 'DeviceDataCtrlr', instance: 'GetVariables' },
    list: 'getVariableData',
    merge: results('getVariableResult', isSameVariable),
  },
  SetVariables: {
    limits: { component: 'DeviceDataCtrlr', instance: 'SetVariables' },
    list: 'setVariableData',
    merge: results('setVariableResult', isSameVariable),
  },
  GetReport: { limits: reportLimits, list: 'componentVariable', merge: statuses },
  GetMonitoringReport: { limits: reportLimits, list: 'componentVariable', merge: statuses },
  SetVariableMonitoring: {
    limits: { component: 'MonitoringCtrlr', instance: 'SetVariableMonitoring' },
    list: 'setMonitoringData',
    merge: results('setMonitoringResult', isSameVariable),
  },
  ClearVariableMonitoring: {
    limits: { component: 'MonitoringCtrlr', instance: 'ClearVariableMonitoring' },
    list: 'id',
    merge: results('clearMonitoringResult', (result, id) => result['id'] === id),
  },
};

/** Returns how a valid request of OCPP 2.0.1 is divided; null when it has no list of two items or more. */
export function divided(action: string, request: unknown): DividedRequest | null {
  const divisible = dividedActions[action];
  if (divisible === undefined) return null;
  const { limits, list, merge } = divisible;
  const items = (request as Record<string, unknown[] | undefined>)[list] ?? [];
  if (items.length < 2) return null;
  return {
    limits,
    items,
    withItems: (some) => ({ ...(request as object), [list]: some }),
    merge: (answers) => merge(items, answers as object[]),
  };
}
