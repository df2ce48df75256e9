import ipaddr from 'ipaddr.js';

export type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];

export interface OutboundPolicy {
  /** Ranges that may be dialled although they are not public; empty in production. */
  readonly allowedCidrs: readonly Cidr[];
  /** Plain http is for receivers on a developer's machine and in tests. */
  readonly allowHttp: boolean;
}

/** Makes the policy every other function here takes. Throws one error which names every CIDR that cannot be read. */
export function createOutboundPolicy(options: {
  allowedCidrs: string[];
  allowHttp: boolean;
}): OutboundPolicy {
  return { allowedCidrs: parseCidrs(options.allowedCidrs), allowHttp: options.allowHttp };
}

/** Reads entries such as `10.0.0.0/8` and `fd00::/8`. Throws one error which names every bad entry. */
function parseCidrs(entries: string[]): Cidr[] {
  const bad = entries.filter((entry) => !isCidr(entry));
  if (bad.length > 0) {
    const names = bad.map((entry) => JSON.stringify(entry)).join(', ');
    throw new Error(`These are not CIDR ranges (expected for example 10.0.0.0/8 or fd00::/8): ${names}`);
  }
  return entries.map((entry) => ipaddr.parseCIDR(entry));
}

// Stricter than ipaddr.js, which also reads `0x7f.1/8`. An IPv4-mapped range is refused because addresses are
// unwrapped before they are judged, so that it would silently never match.
function isCidr(entry: string): boolean {
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) return true;
  return ipaddr.IPv6.isValidCIDR(entry) && !ipaddr.IPv6.parseCIDR(entry)[0].isIPv4MappedAddress();
}
