// Signatures of every kind for the revenue doors, and whether they are valid.
import { signGeneric, signStripe } from '../support/shop.ts';
import type { DoorName, SignatureKind } from './revenue-requests.ts';

interface Signature {
  /** Name, value, name, value. */
  headers: string[];
  /** The account whose secret made it. */
  signer: 'own' | 'other';
  /** Undefined where the format leaves it to the receiver. */
  isValid: boolean | undefined;
}

interface Signed {
  door: DoorName;
  body: Buffer;
  own: string;
  other: string;
}

/** More than the tolerance of 300 s, by more than a test takes. */
const farSeconds = 1000;

export function signatureOf(kind: SignatureKind, signed: Signed): Signature {
  const name = signed.door === 'generic' ? 'X-Service-Signature' : 'Stripe-Signature';
  const isStripe = signed.door === 'stripe';
  const sign = (secret: string, body: Buffer, at = new Date()): string =>
    isStripe ? signStripe(secret, body, at) : signGeneric(secret, body);
  const right = sign(signed.own, signed.body);
  const wrongHex = 'ab'.repeat(32);
  const shifted = (seconds: number): string =>
    sign(signed.own, signed.body, new Date(Date.now() + seconds * 1000));

  const make = (value: string, isValid: boolean | undefined, signer: Signature['signer'] = 'own') => ({
    headers: [name, value],
    signer,
    isValid,
  });
  const kinds: Record<SignatureKind, () => Signature> = {
    right: () => make(right, true),
    'upper case': () =>
      make(
        right.replace(/[0-9a-f]{64}$/, (hex) => hex.toUpperCase()),
        true,
      ),
    missing: () => ({ headers: [], signer: 'own', isValid: false }),
    empty: () => make('', false),
    'of the other account': () => make(sign(signed.other, signed.body), true, 'other'),
    'of another body': () => make(sign(signed.own, Buffer.concat([signed.body, Buffer.from('x')])), false),
    'without its scheme': () => make(right.replace(/^.*=/, ''), false),
    cut: () => make(right.slice(0, -2), false),
    'not ASCII': () => make(right.replace(/.$/, 'é'), false),
    // HTTP joins them with a comma: two schemes for Stripe, one malformed value for the other.
    twice: () => ({
      headers: [name, right, name, right],
      signer: 'own',
      isValid: isStripe ? undefined : false,
    }),
    long: () => make(`${isStripe ? 't=1,v1=' : 'sha256='}${'a'.repeat(5000)}`, false),
    hostile: () => make("t=1,v1=__proto__,v1=;sha256='; drop table x; --", false),
    old: () => make(shifted(-farSeconds), !isStripe),
    ahead: () => make(shifted(farSeconds), !isStripe),
    'right among wrong ones': () =>
      isStripe
        ? make(right.replace(',v1=', `,v0=${wrongHex},v1=${wrongHex},v1=`), true)
        : make(`sha256=${wrongHex}, ${right}`, false),
  };
  return kinds[kind]();
}
