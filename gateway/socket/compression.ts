/**
 * Returns whether a Sec-WebSocket-Extensions header offers permessage-deflate (RFC 7692) in a form that is accepted (2.0.1 part 4
 * §3.3): one offer of several suffices. An offer that limits the window of the server is declined, as §7.1.2.1 demands of a
 * server that does not support the limit: the charger could not read what the shared compressor writes. Neither side
 * keeps a window between messages, which every offer permits.
 */
export function offersCompression(header: string): boolean {
  return header !== '' && header.split(',').some(isAccepted);
}

function isAccepted(offer: string): boolean {
  const [name, ...parameters] = offer.split(';').map((part) => part.trim().toLowerCase());
  return name === 'permessage-deflate' && parameters.every(isSupported);
}

/** Returns whether a parameter is known, and its value valid. */
function isSupported(parameter: string): boolean {
  return /^(?:(?:client|server)_no_context_takeover|client_max_window_bits(?:\s*=\s*"?(?:[89]|1[0-5])"?)?|server_max_window_bits\s*=\s*"?15"?)$/.test(
    parameter,
  );
}
