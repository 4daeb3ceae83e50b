import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';

/** A PDF as an answer. */
export const pdfAnswer = (description: string) => ({
  description,
  content: { 'application/pdf': { schema: Type.Unsafe<Uint8Array>({ description: 'PDF 1.7' }) } },
});

/** Sends a PDF that a browser shows, and saves under this name. */
export function sendPdf(reply: FastifyReply, pdf: Uint8Array, fileName: string): FastifyReply {
  return reply
    .header('content-disposition', `inline; filename="${fileName}.pdf"`)
    .header('cache-control', 'private, no-cache')
    .type('application/pdf')
    .send(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
}
