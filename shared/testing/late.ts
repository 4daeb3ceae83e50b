import { Socket } from 'node:net';

/**
 * Everything that may be late is late: what sockets of Node.js send leaves later, at random, in its order, and threads stand
 * still for moments, those of uWebSockets.js too. `LATE=1 npm test` loads this into the processes and threads of tests:
 * code that relies on an unspecified order fails now, and not once in a hundred runs.
 */

/** The share of what is sent that leaves some ms later, and of what leaves much later. */
const someShare = 0.3;
const muchShare = 0.04;
const someMs = 30;
const muchMs = 250;

/** Threads stand still for so many ms at most, mostly for few, and go on for so many at most. */
const betweenMs = 400;
const stillMs = 200;

/** Pending writes by socket: one write at a time, as in streams. */
const unsent = new WeakMap<Socket, () => void>();

function lateness(): number {
  const chance = Math.random();
  if (chance < muchShare) return someMs + Math.random() * (muchMs - someMs);
  return chance < someShare ? 1 + Math.random() * someMs : 0;
}

function later(socket: Socket, send: () => void): void {
  const ms = lateness();
  // Not before it is connected, and not a pipe: what a process says before it exits is said at once.
  if (ms === 0 || socket.remotePort === undefined) return send();
  const timer = setTimeout(() => sendNow(socket), ms);
  unsent.set(socket, () => {
    clearTimeout(timer);
    send();
  });
}

function sendNow(socket: Socket): void {
  const send = unsent.get(socket);
  unsent.delete(socket);
  send?.();
}

/** The methods as they were. */
const prompt = Object.create(null, Object.getOwnPropertyDescriptors(Socket.prototype)) as Socket;

Socket.prototype._write = function (this: Socket, ...args) {
  later(this, () => prompt._write.apply(this, args));
};
Socket.prototype._writev = function (this: Socket, ...args) {
  later(this, () => prompt._writev?.apply(this, args));
};
// What was written before the end is sent before it.
Socket.prototype._destroy = function (this: Socket, ...args) {
  sendNow(this);
  prompt._destroy.apply(this, args);
};

const never = new Int32Array(new SharedArrayBuffer(4));

function standStill(): void {
  setTimeout(() => {
    Atomics.wait(never, 0, 0, stillMs * Math.random() ** 3);
    standStill();
  }, betweenMs * Math.random()).unref();
}

standStill();
