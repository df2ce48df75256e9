// The admission of a request: before its body is read if that is long, else when its messages are known.
import type { Scope } from '@service/catalogue';
import { mayBeLonger } from '@service/rest';
import type { Admission, CredentialScheme } from '@service/surface';
import type { IncomingMessage } from 'node:http';

type Admitting = Promise<Admission | null>;

/** Reading a longer body costs more than its admission. Most messages are shorter. */
const shortBodyBytes = 16 * 1024;

/** The admission of the sender of a long body, without scopes: they follow from the body. Undefined for a short body. */
export function admitSender(
  request: Pick<IncomingMessage, 'headers'>,
  { admit }: CredentialScheme,
): Admitting | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined || !mayBeLonger(request, shortBodyBytes)) return undefined;
  return admit({ authorization, surface: 'mcp', scopes: [] });
}

/** False for a request that is refused without its body. */
export const isBodyNeeded = async (sender: Admitting | undefined): Promise<boolean> =>
  sender === undefined ||
  sender.then(
    (admission) =>
      admission !== null && !admission.isSuspended && admission.rate.retryAfterSeconds === undefined,
    () => false,
  );

interface MessagesToAdmit {
  count: number;
  authorization: string | undefined;
  scopes: readonly Scope[];
  /** Counts as the admission of the first message. */
  sender: Admitting | undefined;
}

/** One admission for each message, in the order of the messages. They begin together and so share a statement. */
export async function admitMessages(
  { count, authorization, scopes, sender }: MessagesToAdmit,
  { admit, admitsWithoutScopes }: CredentialScheme,
): Promise<Admitting[]> {
  const isSenderEnough = admitsWithoutScopes || (await hasScopes(sender, scopes));
  const admissions = Array.from({ length: count }, (_, index) =>
    index === 0 && sender && isSenderEnough ? sender : admit({ authorization, surface: 'mcp', scopes }),
  );
  const admitted = await Promise.all(admissions).catch(() => undefined);
  // Each call answers the failure of its own admission.
  if (!admitted) return admissions;
  return admitted.toSorted((one, other) => placeOf(one) - placeOf(other)).map(async (admission) => admission);
}

/** Two statements may count in another order than they began. At the limit the first messages of a batch run. */
const placeOf = (admission: Admission | null): number =>
  admission ? (admission.rate.retryAfterSeconds ?? 0) - admission.rate.remaining : 0;

/** False also if the sender lacks a scope. Its call is then admitted once more with its scopes, and refused like that of a stranger. */
const hasScopes = async (sender: Admitting | undefined, scopes: readonly Scope[]): Promise<boolean> =>
  sender !== undefined &&
  sender.then(
    (admission) => scopes.every((scope) => admission === null || admission.principal.scopes.has(scope)),
    () => true,
  );
