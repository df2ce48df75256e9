// An authorization request on its way through the consent page. It is sealed instead of stored, so that requests of strangers fill no
// table. Its id becomes the id of the grant, so it is answered once.
import type { Scope } from '@service/catalogue';
import type { SecretBox } from '@service/secrets';
import type { ConnectorClient } from '../client/client-metadata.ts';
import { connectorErrors } from '../errors.ts';
import type { AskedAccess } from './parameters.ts';

export interface AuthorizationRequest extends AskedAccess {
  /** UUIDv7. */
  id: string;
  client: Pick<ConnectorClient, 'id' | 'name' | 'host'>;
  redirectUri: string;
  state: string | undefined;
  scopes: Scope[];
  expiresAt: Date;
}

/** Time for a person to sign in and decide. */
const lifeMs = 10 * 60 * 1000;

const context = 'connectors.authorization_request';

/** The opaque text for the address of the consent page. It is URL-safe and valid for 10 minutes. */
export function sealRequest(
  request: Omit<AuthorizationRequest, 'expiresAt'>,
  { secretBox, now }: { secretBox: SecretBox; now: Date },
): string {
  const expiresAt = now.getTime() + lifeMs;
  return secretBox.seal(JSON.stringify({ ...request, expiresAt }), context);
}

/** Throws authorization_request_invalid, authorization_request_expired. */
export function openRequest(
  text: string,
  { secretBox, now }: { secretBox: SecretBox; now: Date },
): AuthorizationRequest {
  const { expiresAt, ...request } = openJson(text, secretBox);
  if (expiresAt <= now.getTime()) throw connectorErrors.authorization_request_expired();
  return { ...request, expiresAt: new Date(expiresAt) };
}

type SealedRequest = Omit<AuthorizationRequest, 'expiresAt'> & { expiresAt: number };

/** Only this service can seal, so an opened text has the form that `sealRequest` gave it. */
function openJson(text: string, secretBox: SecretBox): SealedRequest {
  try {
    return JSON.parse(secretBox.open(text, context)) as SealedRequest;
  } catch (cause) {
    throw connectorErrors.authorization_request_invalid({ cause });
  }
}
