/** A host is, or resolves to, an address that may not be dialled. The message names the host, never the address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
  readonly code = 'blocked_address';

  constructor(host: string) {
    super(`${host} points to a private or reserved address.`);
  }
}
