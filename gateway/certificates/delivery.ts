import type { Registry } from '#gateway/connections/registry.ts';
import { SocketClosed } from '#gateway/frame/errors.ts';
import { asResponse } from '#shared/ocpp/validators.ts';
import type { DeliverChain } from './issuer.ts';

/** How long a charger may take to check a chain and install it, in ms. */
const answerWithinMs = 60_000;

/** Sends CertificateSigned, which both versions say alike, to a charger of this shard. */
export function deliverThrough(registry: Registry): DeliverChain {
  return async (uid, certificateChain, certificateType) => {
    const charger = registry.get(uid);
    if (charger === undefined) throw new SocketClosed();
    // As in the request: a station that named no type is answered without one (2.0.1 A02.FR.04).
    const request = certificateType === null ? { certificateChain } : { certificateChain, certificateType };
    const payload = await charger.connection.call('CertificateSigned', request, answerWithinMs);
    return asResponse(charger.protocol.version, 'CertificateSigned', payload).status === 'Accepted';
  };
}
