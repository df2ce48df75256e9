import ipaddr from 'ipaddr.js';

export type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface OutboundPolicy {
  /** Allowed ranges that are not public. Empty in production. */
  readonly allowedCidrs: readonly Cidr[];
  /** For receivers on a developer's machine and in tests. */
  readonly allowHttp: boolean;
}

/** Creates the policy for the functions of this package. Throws one error with every invalid CIDR. */
export function createOutboundPolicy(options: {
  allowedCidrs: string[];
  allowHttp: boolean;
}): OutboundPolicy {
  return { allowedCidrs: parseCidrs(options.allowedCidrs), allowHttp: options.allowHttp };
}

/** Reads entries such as `10.0.0.0/8` and `fd00::/8`. Throws one error with every invalid entry. */
function parseCidrs(entries: string[]): Cidr[] {
  const bad = entries.filter((entry) => !isCidr(entry));
  if (bad.length > 0) {
    const names = bad.map((entry) => JSON.stringify(entry)).join(', ');
    throw new Error(`These are not CIDR ranges (expected for example 10.0.0.0/8 or fd00::/8): ${names}`);
  }
  return entries.map((entry) => ipaddr.parseCIDR(entry));
}

// Stricter than ipaddr.js, which also reads `0x7f.1/8`. An IPv4-mapped range is refused because it would never match: addresses are
// unwrapped before the check.
function isCidr(entry: string): boolean {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) return true;
  return ipaddr.IPv6.isValidCIDR(entry) && !ipaddr.IPv6.parseCIDR(entry)[0].isIPv4MappedAddress();
}
