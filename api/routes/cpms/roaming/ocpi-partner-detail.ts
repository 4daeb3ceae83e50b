import { Type } from 'typebox';
import { DateTime, Decimal, Flag, Integer, Named, Nullable, OneOf, Str } from '#api/routes/schema.ts';
import type {
  HandshakeRecord,
  ListedPartner,
  PartnerDetails,
  PushState,
  WaitingPushes,
} from '#api/services/roaming/partner-registry.ts';
import { interfaceRoles } from '#shared/domain/roaming/ocpi.ts';
import { moduleOfObject, pushedModules } from '#shared/domain/roaming/ocpi-push.ts';
import { handshakeSteps } from '#shared/domain/roaming/registration.ts';
import { Partner, partnerView } from './ocpi-partner-view.ts';

const push = {
  breaker: OneOf(
    ['CLOSED', 'OPEN', 'HALF_OPEN'],
    'State of the circuit breaker. CLOSED: pushes are sent. OPEN: none are sent after repeated failures. ' +
      'HALF_OPEN: one push tests the connection.',
  ),
  failures: Integer('Number of consecutive failures.'),
  nextTryAt: Nullable(DateTime('Time of the next attempt. Null unless the breaker is open.')),
  waiting: Integer('Number of objects to be sent.'),
  refused: Integer(
    'Number of objects that the partner refused too often. They are sent every six hours, and at once when they change.',
  ),
  lagSeconds: Decimal(
    'Age in seconds of the oldest object to be sent, without those for parties that a hub cannot reach. 0 without one.',
  ),
  sent: Integer('Number of requests that the partner accepted since its registration.'),
  failed: Integer('Number of requests that failed since the registration.'),
  lastSentAt: Nullable(DateTime('Time of the latest successful push. Null before the first one.')),
  lastFailedAt: Nullable(DateTime('Time of the latest failed push. Null when none failed.')),
  lastError: Nullable(Str('Error of the latest failed push. Null when none failed.')),
};
const pushTexts = { description: 'State of the pushes to the partner.' };

/** Partner in a list, with the state of its pushes. */
export const PartnerListed = Named('OcpiPartnerListed', {
  ...Partner.properties,
  push: Type.Object(push, pushTexts),
});

const PushModule = Type.Object({
  module: OneOf(pushedModules, 'OCPI module.'),
  waiting: Integer('Number of objects to be sent.', 3),
  refused: Integer('Number of objects that the partner refused too often.', 0),
  failing: Integer('Number of those whose latest attempt failed.', 1),
  lagSeconds: Decimal(
    'Age in seconds of the oldest object to be sent, without those for parties that a hub cannot reach. 0 without one.',
  ),
  lastError: Nullable(Str('Error of the latest failed attempt among them. Null when none failed.')),
});

const Handshake = Type.Object(
  {
    versionsUrl: Str('Versions endpoint of the partner.', 'https://emsp.example/ocpi/versions'),
    isRunning: Flag('True while a run of the handshake is in progress.'),
    attempts: Integer('Number of runs.', 1),
    failedStep: Nullable(OneOf(handshakeSteps, 'Step that failed in the latest run. Null: none failed.')),
    errorCode: Nullable(
      Str('Error code of the latest run. Null: it did not fail.', 'OCPI_PARTNER_UNREACHABLE'),
    ),
    error: Nullable(Str('Error of the latest run in a sentence. Null: it did not fail.')),
    failedAt: Nullable(DateTime('Time at which the latest run failed. Null: it did not fail.')),
  },
  { description: 'Handshake in progress that we began. Null if no handshake is in progress.' },
);

export const PartnerDetail = Named('OcpiPartner', {
  ...Partner.properties,
  endpoints: Type.Array(
    Type.Object({
      identifier: Str('OCPI module identifier.', 'QUAY-1'),
      role: OneOf(interfaceRoles, 'OCPI role.'),
      url: Str('URL.', 'https://harbour.example/quay.jpg'),
    }),
    { description: 'Module endpoints of the partner, from the handshake.' },
  ),
  handshake: Nullable(Handshake),
  push: Type.Object(
    {
      ...push,
      modules: Type.Array(PushModule, { description: 'Objects to be sent, by module.' }),
    },
    pushTexts,
  ),
});

/** Converts a partner of a list. */
export function partnerListed({ partner, push: state }: ListedPartner) {
  return { ...partnerView(partner), push: pushView(state) };
}

/** Converts a partner with what belongs to its page. */
export function partnerDetail({ partner, endpoints, push: state, waiting, handshake }: PartnerDetails) {
  return {
    ...partnerView(partner),
    endpoints,
    handshake: handshake === null ? null : handshakeView(handshake),
    push: { ...pushView(state), modules: pushedModules.map((module) => moduleView(module, waiting)) },
  };
}

function handshakeView(handshake: HandshakeRecord) {
  return {
    versionsUrl: handshake.versionsUrl,
    isRunning: handshake.isClaimed,
    attempts: handshake.attempts,
    failedStep: handshake.failedStep,
    errorCode: handshake.errorCode,
    error: handshake.error,
    failedAt: handshake.failedAt?.toISOString() ?? null,
  };
}

function moduleView(module: (typeof pushedModules)[number], all: readonly WaitingPushes[]) {
  const own = all.filter(({ object }) => moduleOfObject[object] === module);
  const sum = (count: (entry: WaitingPushes) => number) =>
    own.reduce((total, entry) => total + count(entry), 0);
  return {
    module,
    waiting: sum(({ waiting }) => waiting),
    refused: sum(({ refused }) => refused),
    failing: sum(({ failing }) => failing),
    lagSeconds: Math.max(0, ...own.map(({ since }) => (since === null ? 0 : ageSeconds(since)))),
    lastError: own.find(({ lastError }) => lastError !== null)?.lastError ?? null,
  };
}

function pushView(state: PushState) {
  return {
    breaker: state.breaker,
    failures: state.failures,
    nextTryAt: state.openUntil?.toISOString() ?? null,
    waiting: state.waiting,
    refused: state.refused,
    lagSeconds: state.waitingSince === null ? 0 : Math.max(0, ageSeconds(state.waitingSince)),
    sent: Number(state.sent),
    failed: Number(state.failed),
    lastSentAt: state.lastSentAt?.toISOString() ?? null,
    lastFailedAt: state.lastFailedAt?.toISOString() ?? null,
    lastError: state.lastError,
  };
}

function ageSeconds(since: Date): number {
  return (Date.now() - since.getTime()) / 1000;
}
