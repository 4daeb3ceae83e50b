import { inflateSync } from 'node:zlib';

/** Bounds the memory and the time that decoding takes. */
const maxPixels = 2_000_000;

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
const jpegSignature = Buffer.from('ffd8ff', 'hex');

/** Reports whether bytes are a PNG of acceptable size that can be decoded, or begin as a JPEG does. */
export function isDrawable(bytes: Buffer): boolean {
  if (bytes.subarray(0, 3).equals(jpegSignature)) return true;
  if (!bytes.subarray(0, 8).equals(pngSignature)) return false;
  try {
    return isDecodablePng(bytes);
  } catch {
    return false;
  }
}

/** Reads the chunks of a PNG (W3C PNG, section 5): length, type, data, CRC. */
function isDecodablePng(bytes: Buffer): boolean {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  if (width === 0 || height === 0 || width * height > maxPixels) return false;
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; at += bytes.readUInt32BE(at) + 12) {
    const end = at + 8 + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    // A second header would name another size to a decoder that takes the last one.
    if (type === 'IHDR' && at !== 8) return false;
    if (type === 'IDAT') data.push(bytes.subarray(at + 8, end));
  }
  // 16 bits in each of four channels, and a filter byte in each row.
  const maxOutputLength = maxPixels * 8 + height * 8;
  return inflateSync(Buffer.concat(data), { maxOutputLength }).length > 0;
}
