import { type OcppVersion, ocppVersions } from '#shared/domain/fleet/ocpp-version.ts';
import { DomainError } from '#shared/domain/kernel/errors.ts';
import { chargerSize } from '#shared/postgres/fleet/connectors.statements.ts';
import { type Actor, auditReported } from '#api/services/access/audit.ts';
import type { ServiceDeps } from '#api/services/kernel/deps.ts';
import { type ChargerRecord, requireCharger } from './chargers.service.ts';
import {
  type RunningSimulation,
  SimulationRuns,
  type Simulations,
  SimulationsFull,
} from './running-simulations.ts';

/** Dependencies of simulated chargers. */
export interface SimulationDeps extends ServiceDeps {
  /** Null: this installation runs none. */
  simulations: Simulations | null;
}

/** Charger of a simulation in a request. */
interface SimulationTarget {
  uuid: string;
  networkUuid: string | undefined;
}

/** OCPP version of a simulated charger that has none yet. */
const usualVersion: OcppVersion = '1.6';

/** Power of a connector whose power is unknown, in W. */
const usualPowerW = 11_000;

/**
 * Connects a simulated charger in the place of a charger that is not connected. The password is the charger's own, so that
 * the caller can do no more than with a program of its own.
 * @throws {DomainError} SIMULATIONS_DISABLED, CHARGER_NOT_FOUND, NETWORK_NOT_FOUND, SIMULATION_REFUSED, TOO_MANY_SIMULATIONS.
 */
export async function startSimulation(
  deps: SimulationDeps,
  by: Actor,
  target: SimulationTarget,
  password: string,
): Promise<RunningSimulation> {
  const simulations = requireSimulations(deps);
  const charger = await requireCharger(deps, by.caller, target.uuid, target.networkUuid);
  await requireSimulable(deps, charger, simulations);
  const size = await chargerSize(deps.sql, charger.id);
  const running = await simulations
    .start(charger.uuid, {
      uid: charger.uid,
      password,
      ocppVersion: ocppVersions.find((version) => version === charger.ocppVersion) ?? usualVersion,
      connectors: Math.max(1, size.connectors),
      maxPowerW: size.maxPowerW ?? charger.maxPowerW ?? usualPowerW,
    })
    .catch((error: unknown) => {
      throw refusal(error, charger, simulations.max);
    });
  const { startedAt, endsAt } = running;
  await auditReported(deps.sql, by, {
    ...actOn(charger, 'simulation-start'),
    description: `charger ${charger.uid}: simulated until ${endsAt.toISOString()}`,
    details: { startedAt, endsAt },
  });
  return running;
}

/**
 * Returns the running simulation of a charger.
 * @throws {DomainError} CHARGER_NOT_FOUND, NETWORK_NOT_FOUND, SIMULATION_NOT_FOUND.
 */
export async function readSimulation(
  deps: SimulationDeps,
  { caller }: Pick<Actor, 'caller'>,
  { uuid, networkUuid }: SimulationTarget,
): Promise<RunningSimulation> {
  const charger = await requireCharger(deps, caller, uuid, networkUuid);
  const running = deps.simulations?.find(charger.uuid) ?? null;
  if (running === null) throw notSimulated(charger);
  return running;
}

/**
 * Ends the simulation of a charger: its sessions stop, and its connection closes.
 * @throws {DomainError} CHARGER_NOT_FOUND, NETWORK_NOT_FOUND, SIMULATION_NOT_FOUND.
 */
export async function stopSimulation(
  deps: SimulationDeps,
  by: Actor,
  { uuid, networkUuid }: SimulationTarget,
): Promise<void> {
  const charger = await requireCharger(deps, by.caller, uuid, networkUuid);
  const isStopped = await deps.simulations?.stop(charger.uuid);
  if (isStopped !== true) throw notSimulated(charger);
  await auditReported(deps.sql, by, {
    ...actOn(charger, 'simulation-stop'),
    description: `charger ${charger.uid}: simulation stopped`,
    details: {},
  });
}

function requireSimulations({ simulations }: SimulationDeps): Simulations {
  if (simulations !== null) return simulations;
  throw new DomainError(
    'SIMULATIONS_DISABLED',
    'This installation runs no simulated chargers. `npm start` runs them when SIMULATED_CHARGERS is above 0.',
  );
}

/** A second connection would replace that of the charger. */
async function requireSimulable(
  { bus }: ServiceDeps,
  charger: ChargerRecord,
  simulations: Simulations,
): Promise<void> {
  const isConnected = (await bus.presence.lookup(charger.uid)) !== null;
  if (isConnected || simulations.find(charger.uuid) !== null) {
    throw connectedAlready(charger);
  }
  if (charger.securityProfile > 1) {
    throw new DomainError(
      'SIMULATION_REFUSED',
      `Charger ${charger.uid} has security profile ${charger.securityProfile}. A simulated charger connects without TLS, with profile 0 or 1.`,
    );
  }
}

function refusal(error: unknown, charger: ChargerRecord, max: number): DomainError {
  if (error instanceof SimulationRuns) return connectedAlready(charger);
  if (error instanceof SimulationsFull) {
    return new DomainError(
      'TOO_MANY_SIMULATIONS',
      `${max} chargers are simulated, the maximum. Stop one of them, or set SIMULATED_CHARGERS.`,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new DomainError(
    'SIMULATION_REFUSED',
    `The simulated charger could not connect: ${reason}. Check the password.`,
    undefined,
    { cause: error },
  );
}

function connectedAlready({ uid }: ChargerRecord): DomainError {
  return new DomainError('SIMULATION_REFUSED', `Charger ${uid} is connected. Disconnect it first.`);
}

function notSimulated({ uid }: ChargerRecord): DomainError {
  return new DomainError('SIMULATION_NOT_FOUND', `Charger ${uid} is not simulated.`);
}

function actOn({ networkId, uuid, uid }: ChargerRecord, action: string) {
  return { networkId, category: 'charger', action, resourceId: uuid, resourceName: uid };
}
