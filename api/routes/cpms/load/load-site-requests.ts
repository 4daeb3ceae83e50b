import { type Static, Type } from 'typebox';
import { Closed, Uuid } from '#api/routes/schema.ts';
import type { NewLoadSite } from '#api/services/load/load-sites.service.ts';
import { defaultSettings } from '#shared/domain/load/plan.ts';
import type { OtherLoad, PhaseAmps, Rotation } from '#shared/domain/load/site.ts';
import { Circuit, ofSite, settings, wiring } from './load-site-schema.ts';

const tree = {
  circuits: Type.Array(Circuit, {
    minItems: 1,
    maxItems: 200,
    description: 'Tree of circuits, which is replaced as a whole.',
  }),
  connectors: Type.Array(
    Closed({
      ...wiring,
      connection: Type.Optional(wiring.connection),
      voltage: Type.Optional(wiring.voltage),
      minAmps: Type.Optional(wiring.minAmps),
      fallbackAmps: Type.Optional(wiring.fallbackAmps),
      control: Type.Optional(wiring.control),
      quirks: Type.Optional(wiring.quirks),
      priority: Type.Optional(wiring.priority),
    }),
    {
      maxItems: 500,
      description:
        'Connectors of the circuits, which are replaced as a whole. Defaults: star, 230 V, 6 A, fallback 6 A, profiles, priority 1.',
    },
  ),
};

const SettingsEdit = Type.Partial(Type.Object(settings), {
  additionalProperties: false,
  description: 'Settings of the plan. Omitted ones stay, and have defaults in a new site.',
});

export const NewSite = Closed({
  networkUuid: Type.Optional(Uuid('Network of the site. Required when the caller has several networks.')),
  name: ofSite.name,
  locationId: Type.Optional(ofSite.locationId),
  isEnabled: Type.Optional(ofSite.isEnabled),
  settings: Type.Optional(SettingsEdit),
  ...tree,
});

export const SiteEdit = Type.Partial(Type.Object({ ...ofSite, settings: SettingsEdit, ...tree }), {
  additionalProperties: false,
  minProperties: 1,
});

type Tree = Static<(typeof NewSite)['properties']['circuits']>;

/** Returns the settings of a request; what is omitted stays as before. */
export function settingsOf(
  edit: Static<typeof SettingsEdit>,
  before = defaultSettings,
): NewLoadSite['settings'] {
  return {
    strategy: edit.strategy ?? before.strategy,
    times: { minOn: edit.minOnSeconds ?? before.times.minOn, turn: edit.turnSeconds ?? before.times.turn },
    raiseEvery: edit.raiseEverySeconds ?? before.raiseEvery,
    rampAmps: edit.rampAmps ?? before.rampAmps,
    rebalanceEvery: edit.rebalanceEverySeconds ?? before.rebalanceEvery,
  };
}

/** Returns the circuits of a request. */
export function circuitsOf(circuits: Tree): NewLoadSite['circuits'] {
  return circuits.map(({ otherLoad, ...circuit }) => ({ ...circuit, other: otherOf(otherLoad) }));
}

function otherOf({
  kind,
  amps,
}: {
  kind: 'fixed' | 'metered' | 'metered-total';
  amps: PhaseAmps;
}): OtherLoad {
  if (kind === 'fixed') return { kind, amps };
  return { kind: 'metered', measures: kind === 'metered' ? 'other' : 'total', worstAmps: amps };
}

/** Returns the connectors of a request. */
export function connectorsOf(
  connectors: Static<(typeof NewSite)['properties']['connectors']>,
): NewLoadSite['connectors'] {
  return connectors.map(({ connectorId, rotation, ...connector }) => ({
    ...connectorDefaults,
    ...connector,
    id: connectorId,
    rotation: rotation === null ? null : (rotation.split('') as unknown as Rotation),
  }));
}

const connectorDefaults = {
  connection: 'star',
  voltage: 230,
  minAmps: 6,
  fallbackAmps: 6,
  control: 'profiles',
  quirks: null,
  priority: 1,
} as const;
