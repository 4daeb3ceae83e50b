import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

/** Response header with the file name of a document. */
export const contentDisposition = {
  'Content-Disposition': { type: 'string', description: 'Name to save the document under (RFC 6266).' },
};

/** PDF response. */
export const pdfAnswer = (description: string) => ({
  description,
  headers: contentDisposition,
  content: {
    'application/pdf': {
      schema: Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary', description: 'PDF 1.7 document.' }),
    },
  },
});

/** Sends a PDF that browsers display, and save under this name. */
export function sendPdf(reply: FastifyReply, pdf: Uint8Array, fileName: string): FastifyReply {
  return reply
    .header('content-disposition', `inline; filename="${fileName}.pdf"`)
    .header('cache-control', 'private, no-cache')
    .type('application/pdf')
    .send(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
}
