// Signatures with WebCrypto, which Node, Deno, Bun, browsers and edge functions have.

export const hmacKey = (bytes: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);

export const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
