import { networkInterfaces } from 'node:os';

/** An address of this machine that other machines can reach, in the form of a URL's host; undefined without a network. */
export function ownAddress(): string | undefined {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address;
}
