import type { Registry } from '#gateway/connections/registry.ts';
import { SocketClosed } from '#gateway/frame/errors.ts';
import { asResponse } from '#shared/ocpp/validators.ts';
import type { DeliverChain } from './issuer.ts';

/** Time for a charger to check and install a certificate chain, in ms. */
const answerWithinMs = 60_000;

/** Sends CertificateSigned, alike in all versions, to a charger of this shard. */
export function deliverThrough(registry: Registry): DeliverChain {
  return async (uid, certificateChain, { certificateType, requestId }) => {
    const charger = registry.get(uid);
    if (charger === undefined) throw new SocketClosed();
    // A station that sent no type in its request receives none (2.0.1 A02.FR.04).
    const request = {
      certificateChain,
      ...(certificateType !== null && { certificateType }),
      ...(requestId !== null && { requestId }),
    };
    const read = (payload: unknown) => asResponse(charger.protocol.version, 'CertificateSigned', payload);
    const payload = await charger.connection.call('CertificateSigned', request, answerWithinMs, read);
    return read(payload).status === 'Accepted';
  };
}
