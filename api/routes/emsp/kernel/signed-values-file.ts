import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { contentDisposition } from './pdf.ts';

/** Description of the file of a session's signed meter values. */
export const signedValuesDescription =
  'For the transparency software of S.A.F.E. e.V. and compatible programs, in which drivers check the signatures ' +
  'themselves. A verified value has the public key with which it was verified; compare it with the label of the meter.';

/** Response with the signed meter values of a session. */
export const signedValuesAnswer = {
  description: 'The signed meter values, in the order of their times.',
  headers: contentDisposition,
  content: {
    'application/xml': {
      schema: Type.Unsafe<string>({
        type: 'string',
        description: 'Document with one `value` element for each signed value.',
        examples: ['<?xml version="1.0" encoding="UTF-8"?><values></values>'],
      }),
    },
  },
};

/** Sends the file, for the browser to save. */
export function sendSignedValues(reply: FastifyReply, xml: string, sessionUuid: string): FastifyReply {
  return reply
    .header(
      'content-disposition',
      `attachment; filename="signed-meter-values-${sessionUuid.toLowerCase()}.xml"`,
    )
    .header('cache-control', 'private, no-cache')
    .type('application/xml')
    .send(xml);
}
