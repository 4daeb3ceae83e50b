import { isUtf8 } from 'node:buffer';
import { connect, type Socket } from 'node:net';
import { compressedFrame, inflated, isText, offeredCompression } from './deflate.ts';
import { encodeFrame, FrameError, FrameParser, opcode } from './frames.ts';
import {
  type Agreed,
  checkUpgradeAnswer,
  createUpgradeKey,
  encodeUpgradeRequest,
  HandshakeFailed,
} from './handshake.ts';

export interface WebSocketOptions {
  /** ws:// only. */
  url: string;
  /** Sub-protocols, by preference. */
  protocols: readonly string[];
  /** Basic auth is sent when a username is given. */
  username?: string | undefined;
  password?: string | Buffer | undefined;
  /** True to offer permessage-deflate; by default false. */
  offersCompression?: boolean | undefined;
  /** The address to connect from: one address has about 28,000 ports, 127.0.0.2 has as many again. */
  localAddress?: string | undefined;
  /** Until the upgrade must be answered; 10 s. */
  handshakeTimeoutMs?: number | undefined;
  /** Longest message taken; 16 MiB. */
  maxMessageBytes?: number | undefined;
}

interface WebSocketListener {
  /** A whole text message as UTF-8 bytes, valid only until the call returns. */
  onText(message: Buffer): void;
  /** Called once, when the socket is gone; 1006 when no close frame came, 1005 when it had no code. */
  onClose(code: number, reason: string): void;
}

const closeWaitMs = 10_000;
const maxHeadBytes = 16_384;
// Small, because every connection has one: answers are short, and a long message just takes more reads.
const readBufferBytes = 4096;
const empty = Buffer.alloc(0);

/** An open client connection (RFC 6455) on a plain socket. Made by connectWebSocket. */
export class WebSocketConnection {
  readonly protocol: string;
  /** Messages in both directions are compressed. */
  readonly isCompressed: boolean;
  readonly #socket: Socket;
  readonly #listener: WebSocketListener;
  readonly #parser: FrameParser;
  readonly #maxBytes: number;
  #fragments: Buffer[] | undefined;
  #fragmentBytes = 0;
  #fragmentType = 0;
  #isFragmentCompressed = false;
  #closeSent = false;
  #failed = false;
  #closeCode = 1006;
  #closeReason = '';
  readonly #closed: Promise<void>;

  constructor(
    socket: Socket,
    { protocol, extensions }: Agreed,
    listener: WebSocketListener,
    maxBytes: number,
  ) {
    this.#socket = socket;
    this.protocol = protocol;
    this.isCompressed = extensions.startsWith('permessage-deflate');
    this.#listener = listener;
    this.#maxBytes = maxBytes;
    this.#parser = new FrameParser(
      maxBytes,
      (type, final, payload, isCompressed) => this.#onFrame(type, final, payload, isCompressed),
      this.isCompressed,
    );
    this.#closed = new Promise((resolve) => {
      socket.once('close', () => {
        listener.onClose(this.#closeCode, this.#closeReason);
        resolve();
      });
    });
  }

  /** False as soon as a close was sent or the socket is gone. */
  get open(): boolean {
    return !this.#closeSent && !this.#socket.destroyed;
  }

  /** Sends a text message. What is sent on a connection that is not open is dropped. */
  sendText(text: string): void {
    this.sendFrame(encodeFrame(opcode.text, text));
  }

  /** Sends a frame made by encodeFrame, compressed where that was agreed; it must not be changed before the peer has answered. */
  sendFrame(frame: Buffer): void {
    if (this.open) this.#socket.write(this.isCompressed && isText(frame) ? compressedFrame(frame) : frame);
  }

  /** Bytes that were received and sent, with their frames and the upgrade. */
  get wireBytes(): { received: number; sent: number } {
    return { received: this.#socket.bytesRead, sent: this.#socket.bytesWritten };
  }

  /** Close handshake; resolves when the socket is gone, at the latest after 2 s. */
  close(code = 1000, reason = ''): Promise<void> {
    this.#sendClose(code, reason);
    return this.#closed;
  }

  /** Cuts the connection without a word, as a power loss does. */
  terminate(): Promise<void> {
    this.#socket.destroy();
    return this.#closed;
  }

  /** The socket's next bytes. For connectWebSocket only. */
  receive(chunk: Buffer): void {
    if (this.#failed) return;
    try {
      this.#parser.push(chunk);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#failed = true;
      this.#sendClose(error.code, error.message);
      this.#socket.end();
    }
  }

  #onFrame(type: number, final: boolean, payload: Buffer, isCompressed: boolean): void {
    if (type === opcode.text && final && this.#fragments === undefined)
      this.#deliver(type, isCompressed ? this.#inflated(payload) : payload);
    else if (type === opcode.ping) this.sendFrame(encodeFrame(opcode.pong, payload));
    else if (type === opcode.close) this.#onCloseFrame(payload);
    else if (type <= opcode.binary) this.#onFragment(type, final, payload, isCompressed);
    else if (type !== opcode.pong) throw new FrameError(1002, `unknown frame type ${type}`);
  }

  #onFragment(type: number, final: boolean, payload: Buffer, isCompressed: boolean): void {
    if (type === opcode.continuation) {
      if (this.#fragments === undefined) throw new FrameError(1002, 'a continuation of nothing');
    } else {
      if (this.#fragments !== undefined) throw new FrameError(1002, 'a new message inside a fragmented one');
      this.#fragments = [];
      this.#fragmentBytes = 0;
      this.#fragmentType = type;
      this.#isFragmentCompressed = isCompressed;
    }
    this.#fragmentBytes += payload.length;
    if (this.#fragmentBytes > this.#maxBytes) throw new FrameError(1009, 'the message is too big');
    this.#fragments.push(Buffer.from(payload));
    if (!final) return;
    const message = Buffer.concat(this.#fragments);
    this.#fragments = undefined;
    this.#deliver(this.#fragmentType, this.#isFragmentCompressed ? this.#inflated(message) : message);
  }

  #inflated(payload: Buffer): Buffer {
    try {
      return inflated(payload, this.#maxBytes);
    } catch {
      throw new FrameError(1007, 'the message cannot be decompressed');
    }
  }

  #deliver(type: number, message: Buffer): void {
    if (type === opcode.binary) throw new FrameError(1003, 'only text is understood');
    if (!isUtf8(message)) throw new FrameError(1007, 'the text is not UTF-8');
    this.#listener.onText(message);
  }

  #onCloseFrame(payload: Buffer): void {
    this.#failed = true;
    this.#closeCode = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
    this.#closeReason = payload.toString('utf8', 2);
    this.#sendClose(this.#closeCode === 1005 ? undefined : this.#closeCode, '');
    this.#socket.end();
  }

  #sendClose(code: number | undefined, reason: string): void {
    if (!this.open) return;
    let payload = empty;
    if (code !== undefined) {
      payload = Buffer.alloc(2 + Math.min(Buffer.byteLength(reason), 123));
      payload.writeUInt16BE(code, 0);
      payload.write(reason, 2);
    }
    this.#socket.write(encodeFrame(opcode.close, payload));
    this.#closeSent = true;
    const timer = setTimeout(() => this.#socket.destroy(), closeWaitMs);
    this.#socket.once('close', () => clearTimeout(timer));
  }
}

/**
 * Opens a connection and resolves when the upgrade is done.
 * Rejects with UpgradeRefused (the server's HTTP status), HandshakeFailed, or the socket's own error.
 */
export function connectWebSocket(
  options: WebSocketOptions,
  listener: WebSocketListener,
): Promise<WebSocketConnection> {
  const url = new URL(options.url);
  if (url.protocol !== 'ws:') throw new TypeError(`only ws:// is spoken here: ${options.url}`);
  const { key, accept } = createUpgradeKey();
  const { username, password, protocols } = options;
  return new Promise((resolve, reject) => {
    let connection: WebSocketConnection | undefined;
    let head = empty;
    const socket = connect({
      // A URL writes an IPv6 address in brackets, a socket wants it without.
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || 80),
      localAddress: options.localAddress,
      noDelay: true,
      // One buffer for the life of the connection: a socket that allocates 64 KiB per read costs more than the message.
      onread: {
        buffer: Buffer.allocUnsafeSlow(readBufferBytes),
        callback: (bytes, buffer) => {
          const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, bytes);
          if (connection === undefined) onHead(chunk);
          else connection.receive(chunk);
          return true;
        },
      },
    });
    const timer = setTimeout(
      () => fail(new HandshakeFailed('no answer to the upgrade')),
      options.handshakeTimeoutMs ?? 10_000,
    );
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
      socket.destroy();
    };
    const onHead = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) {
        if (head.length > maxHeadBytes) fail(new HandshakeFailed('the answer to the upgrade is too long'));
        return;
      }
      try {
        const agreed = checkUpgradeAnswer(head.toString('latin1', 0, end), accept, protocols);
        clearTimeout(timer);
        socket.off('close', onEarlyClose);
        connection = new WebSocketConnection(
          socket,
          agreed,
          listener,
          options.maxMessageBytes ?? 16 * 2 ** 20,
        );
        resolve(connection);
        connection.receive(head.subarray(end + 4));
      } catch (error) {
        fail(error instanceof Error ? error : new HandshakeFailed(String(error)));
      }
    };
    const onEarlyClose = (): void => fail(new HandshakeFailed('closed before the upgrade was answered'));
    socket.once('close', onEarlyClose);
    // After the upgrade an error is only the reason of the 'close' that follows it.
    socket.on('error', fail);
    socket.once('connect', () =>
      socket.write(
        encodeUpgradeRequest(
          {
            url,
            protocols,
            username,
            password,
            extensions: options.offersCompression ? offeredCompression : undefined,
          },
          key,
        ),
      ),
    );
  });
}
