// Requests to the revenue doors: with every kind of signature, to addresses that are right, of another account, or nothing.
import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import { genericText, stripeText, toBytes } from './revenue-bodies.ts';
import { usually } from './values.ts';

export type DoorName = 'generic' | 'stripe';

export interface RevenueRequest {
  method: string;
  /** `{own}`, `{other}` and `{absent}` stand for accounts. */
  path: string;
  door: DoorName;
  signature: SignatureKind;
  /** Before the encoding. */
  body: Buffer;
  encoding: 'none' | 'identity' | 'gzip' | 'unknown';
  mediaType: string | undefined;
  chunked: boolean;
  address: string;
  /** An index into the accounts. */
  caller: number;
}

export const signatureKinds = [
  'right',
  'upper case',
  'missing',
  'empty',
  'of the other account',
  'of another body',
  'without its scheme',
  'cut',
  'not ASCII',
  'twice',
  'long',
  'hostile',
  'old',
  'ahead',
  'right among wrong ones',
] as const;
export type SignatureKind = (typeof signatureKinds)[number];

export const doorOf = (account: string, door: string): string => `/api/webhooks/revenue/${account}/${door}`;

export const encode = (body: Buffer, encoding: RevenueRequest['encoding']): Buffer =>
  encoding === 'gzip' ? gzipSync(body) : body;

const paths = (door: DoorName): Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.constant(doorOf('{own}', door)), weight: 30 },
    {
      arbitrary: fc.constantFrom(
        doorOf('{other}', door),
        doorOf('{absent}', door),
        doorOf('{own}', door === 'generic' ? 'stripe' : 'generic'),
        doorOf('%00', door),
        doorOf('null', door),
        doorOf('x'.repeat(3000), door),
        doorOf('{own}', 'paypal'),
        doorOf('{own}', '__proto__'),
        doorOf('{own}', door.toUpperCase()),
        doorOf('{own}', `${door}/`),
        doorOf('{own}', ''),
        doorOf('%zz', door),
        '/api/webhooks/revenue/',
      ),
      weight: 3,
    },
  );

export const revenueRequests: Arbitrary<RevenueRequest> = fc
  .constantFrom<DoorName>('generic', 'generic', 'stripe')
  .chain((door) =>
    fc.record<RevenueRequest>({
      method: fc.oneof(
        { arbitrary: fc.constant('POST'), weight: 30 },
        {
          arbitrary: fc.constantFrom('GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'),
          weight: 1,
        },
      ),
      path: paths(door),
      door: fc.constant(door),
      signature: fc.oneof(
        { arbitrary: fc.constant<SignatureKind>('right'), weight: 40 },
        { arbitrary: fc.constantFrom(...signatureKinds), weight: 10 },
      ),
      body: (door === 'generic' ? genericText : stripeText).chain(toBytes),
      encoding: fc.oneof(
        { arbitrary: fc.constant('none' as const), weight: 20 },
        { arbitrary: fc.constantFrom('identity' as const, 'gzip' as const, 'unknown' as const), weight: 1 },
      ),
      mediaType: usually<string | undefined>(
        fc.constant('application/json'),
        fc.constantFrom(undefined, 'text/plain', 'application/x-www-form-urlencoded', ';'),
      ),
      chunked: fc.boolean(),
      address: fc.ipV4(),
      caller: fc.nat({ max: 1 }),
    }),
  );
