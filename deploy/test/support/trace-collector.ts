import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

/** Span that a collector received. */
export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Empty: the span begins a trace. */
  parentSpanId: string;
  attributes: Record<string, string>;
}

/** Starts a server that receives traces by OTLP over HTTP, in protobuf. */
export async function startTraceCollector(
  t: Pick<Test, 'teardown'>,
): Promise<{ url: string; spans: ReceivedSpan[] }> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...spansOf(Buffer.concat(chunks)));
      response.writeHead(request.url === '/v1/traces' ? 200 : 404).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans };
}

/** Fields of a message by number. Numbers (varint, fixed) are left out: no test reads one. */
function fieldsOf(message: Buffer): Map<number, Buffer[]> {
  const fields = new Map<number, Buffer[]>();
  let at = 0;
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = message.readUInt8(at++);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [field, type] = [tag >> 3, tag & 7];
    if (type === 0) varint();
    else if (type === 1) at += 8;
    else if (type === 5) at += 4;
    else {
      const length = varint();
      fields.set(field, [...(fields.get(field) ?? []), message.subarray(at, at + length)]);
      at += length;
    }
  }
  return fields;
}

/** Returns the spans of an ExportTraceServiceRequest (opentelemetry-proto, trace.proto). */
function spansOf(request: Buffer): ReceivedSpan[] {
  return all(request, 1).flatMap((resourceSpans) => {
    const [resource = Buffer.alloc(0)] = all(resourceSpans, 1);
    const service = attributesOf(resource, 1)['service.name'] ?? '';
    return all(resourceSpans, 2).flatMap((scopeSpans) =>
      all(scopeSpans, 2).map((span) => {
        const id = (field: number): string => all(span, field)[0]?.toString('hex') ?? '';
        const name = String(all(span, 5)[0]);
        return {
          service,
          name,
          traceId: id(1),
          spanId: id(2),
          parentSpanId: id(4),
          attributes: attributesOf(span, 9),
        };
      }),
    );
  });
}

function all(message: Buffer, field: number): Buffer[] {
  return fieldsOf(message).get(field) ?? [];
}

/** Returns the attributes with texts as their values; others are empty. */
function attributesOf(owner: Buffer, field: number): Record<string, string> {
  return Object.fromEntries(
    all(owner, field).map((pair) => {
      const [value] = all(all(pair, 2)[0] ?? Buffer.alloc(0), 1);
      return [String(all(pair, 1)[0]), String(value ?? '')];
    }),
  );
}
