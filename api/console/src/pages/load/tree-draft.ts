import { type SiteProblem, siteProblems } from '#shared/domain/load/site-problems.ts';
import type { OtherLoad, PhaseAmps, Rotation } from '#shared/domain/load/site.ts';
import { numberOf } from '../../texts/numbers.ts';
import type { LoadSite } from './load-queries.ts';

type StoredCircuit = LoadSite['circuits'][number];
type StoredConnector = LoadSite['connectors'][number];

/** Circuit in the editor. Currents are the texts of their inputs. */
export interface CircuitDraft extends Pick<
  StoredCircuit,
  'id' | 'name' | 'parentId' | 'schedule' | 'transformerRatio'
> {
  amps: string;
  otherKind: StoredCircuit['otherLoad']['kind'];
  otherAmps: string;
}

/** Connector in the editor. */
export interface ConnectorDraft extends Omit<StoredConnector, 'maxAmps' | 'fallbackAmps' | 'setAsideAt'> {
  maxAmps: string;
  fallbackAmps: string;
}

/** Tree of circuits in the editor. */
export interface TreeDraft {
  circuits: CircuitDraft[];
  connectors: ConnectorDraft[];
}

const isGiven = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined && value >= 0;

/** Returns the currents of three phases from a text such as 63 or 63 / 63 / 40; null: it has another form. */
export function phasesOf(text: string): [number, number, number] | null {
  const [l1, l2 = l1, l3 = l2, ...more] = text.split('/').map(numberOf);
  const isOneOrThree = [1, 3].includes(text.split('/').length) && more.length === 0;
  return isOneOrThree && isGiven(l1) && isGiven(l2) && isGiven(l3) ? [l1, l2, l3] : null;
}

/** Returns currents as a text to edit. */
export function phasesText(amps: readonly number[]): string {
  const [l1, l2, l3] = threeOf(amps);
  return l1 === l2 && l2 === l3 ? String(l1) : `${l1} / ${l2} / ${l3}`;
}

/** Returns currents of three phases as the domain has them; the API's type does not count them. */
function threeOf([l1 = 0, l2 = 0, l3 = 0]: readonly number[]): PhaseAmps {
  return [l1, l2, l3];
}

/** Returns the tree of a site to edit. */
export function draftOf({ circuits, connectors }: LoadSite): TreeDraft {
  return {
    circuits: circuits.map(({ amps, otherLoad, ...circuit }) => ({
      ...circuit,
      amps: phasesText(amps),
      otherKind: otherLoad.kind,
      otherAmps: phasesText(otherLoad.amps),
    })),
    connectors: connectors.map(({ maxAmps, fallbackAmps, ...connector }) => ({
      ...connector,
      maxAmps: String(maxAmps),
      fallbackAmps: String(fallbackAmps),
    })),
  };
}

/** Returns the body of a change with the tree of a draft. */
export function treeOf({ circuits, connectors }: TreeDraft) {
  return {
    circuits: circuits.map(({ amps, otherKind, otherAmps, ...circuit }) => ({
      ...circuit,
      amps: phasesOf(amps) ?? wrong,
      otherLoad: { kind: otherKind, amps: phasesOf(otherAmps) ?? wrong },
    })),
    connectors: connectors.map((own) => ({
      connectorId: own.connectorId,
      circuitId: own.circuitId,
      rotation: own.rotation,
      connection: own.connection,
      voltage: own.voltage,
      minAmps: own.minAmps,
      maxAmps: numberOf(own.maxAmps) ?? Number.NaN,
      fallbackAmps: numberOf(own.fallbackAmps) ?? Number.NaN,
      control: own.control,
      quirks: own.quirks,
      priority: own.priority,
    })),
  };
}

/** Currents of an input without a number: the check finds them. */
const wrong: [number, number, number] = [Number.NaN, Number.NaN, Number.NaN];

/** Returns the defects of a draft, by the rules of the server. A connector of another site is found by the server only. */
export function draftProblems(siteId: string, draft: TreeDraft): SiteProblem[] {
  const { circuits, connectors } = treeOf(draft);
  return siteProblems({
    id: siteId,
    circuits: circuits.map(({ otherLoad, schedule, ...circuit }) => ({
      ...circuit,
      schedule: schedule.map((part) => ({ ...part, amps: threeOf(part.amps) })),
      other: otherOf(otherLoad),
    })),
    connectors: connectors.map(({ connectorId, rotation, ...connector }) => ({
      ...connector,
      id: connectorId,
      siteId,
      rotation: rotation === null ? null : (rotation.split('') as unknown as Rotation),
    })),
  });
}

function otherOf({ kind, amps }: StoredCircuit['otherLoad']): OtherLoad {
  if (kind === 'fixed') return { kind, amps: threeOf(amps) };
  return { kind: 'metered', measures: kind === 'metered' ? 'other' : 'total', worstAmps: threeOf(amps) };
}

/** Returns an identifier that no circuit has. */
export function newCircuitId(circuits: readonly CircuitDraft[]): string {
  let number = circuits.length + 1;
  while (circuits.some(({ id }) => id === `circuit-${number}`)) number += 1;
  return `circuit-${number}`;
}
