/** The host is or resolves to a blocked address. The message contains the host, but not the address. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError';
  readonly code = 'blocked_address';

  constructor(host: string) {
    super(`${host} points to a private or reserved address.`);
  }
}
