// The requests of a client that asks for access, one by one, and the consent of a member as the dashboard sends it.
import { createHash, randomBytes } from 'node:crypto';
import { allScopes } from '@service/catalogue';
import type { TestApi } from '../support/api.ts';
import type { DashboardClient } from '../support/dashboard.ts';
import { callMcp } from '../support/mcp.ts';

export const redirectUri = 'http://127.0.0.1:33418/callback';

type Target = Pick<TestApi, 'baseUrl'>;
type Fields = Record<string, string | undefined>;

export interface JsonAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- each endpoint has its own answer
  json: any;
}

export async function readJson(response: Response): Promise<JsonAnswer> {
  return { status: response.status, headers: response.headers, json: await response.json() };
}

const withoutUndefined = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );

/** Posts a form to `/oauth/token` or `/oauth/revoke`. */
export const postForm = async ({ baseUrl }: Target, path: string, fields: Fields): Promise<JsonAnswer> =>
  readJson(
    await fetch(`${baseUrl}/oauth/${path}`, {
      method: 'POST',
      body: new URLSearchParams(withoutUndefined(fields)),
    }),
  );

export const register = async ({ baseUrl }: Target, metadata: object): Promise<JsonAnswer> =>
  readJson(
    await fetch(`${baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(metadata),
    }),
  );

/** The id of a client that registered itself. */
export async function registerClient(service: Target, metadata: object = {}): Promise<string> {
  const { status, json } = await register(service, {
    client_name: 'Test assistant',
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'none',
    ...metadata,
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(json)}`);
  return json.client_id;
}

export interface Attempt {
  clientId: string;
  verifier: string;
  /** The parameters of the authorization request. */
  parameters: Record<string, string>;
}

/** A complete authorization request. `changes` replaces parameters, and removes those that are undefined. */
export function createAttempt({ baseUrl }: Target, clientId: string, changes: Fields = {}): Attempt {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const parameters = withoutUndefined({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    scope: allScopes.join(' '),
    resource: `${baseUrl}/mcp/connect`,
    ...changes,
  });
  return { clientId, verifier, parameters };
}

export interface AuthorizeAnswer {
  status: number;
  headers: Headers;
  /** The address to which the browser is sent. */
  location: URL | undefined;
  page: string;
}

export async function authorize(
  { baseUrl }: Target,
  parameters: Record<string, string> | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<AuthorizeAnswer> {
  const query = new URLSearchParams(parameters).toString();
  const response = await fetch(`${baseUrl}/oauth/authorize?${query}`, { redirect: 'manual', headers });
  const location = response.headers.get('location');
  return {
    status: response.status,
    headers: response.headers,
    location: location === null ? undefined : new URL(location),
    page: await response.text(),
  };
}

/** The sealed request of an attempt, as the consent page gets it. */
export async function requestOf(service: Target, { parameters }: Attempt): Promise<string> {
  const { location, page } = await authorize(service, parameters);
  const request = location?.searchParams.get('request');
  if (!request) throw new Error(`No consent page: ${location?.href ?? page}`);
  return request;
}

/** The redirect with the code, after a member has approved. */
export async function approve(
  dashboard: DashboardClient,
  input: { request: string; scopes: readonly string[] },
): Promise<URL> {
  return new URL((await dashboard.mutate('connectors.approve', input)).redirectTo);
}

/** A member opens the address that a client gave, and approves: for these scopes, or for all that were asked for. Returns the redirect. */
export async function consentAt(
  address: string | URL,
  dashboard: DashboardClient,
  scopes?: readonly string[],
): Promise<URL> {
  const response = await fetch(address, { redirect: 'manual' });
  const request = new URL(response.headers.get('location')!).searchParams.get('request')!;
  const asked = scopes ?? (await dashboard.query('connectors.request', { request })).scopes;
  return approve(dashboard, { request, scopes: asked });
}

/** The form with which the client of an attempt exchanges its code. */
export const codeForm = ({ clientId, verifier }: Attempt, code: string): Fields => ({
  grant_type: 'authorization_code',
  code,
  client_id: clientId,
  code_verifier: verifier,
  redirect_uri: redirectUri,
});

export const refreshForm = (clientId: string, refreshToken: string): Fields => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
  client_id: clientId,
});

export interface Connection {
  clientId: string;
  attempt: Attempt;
  code: string;
  accessToken: string;
  refreshToken: string;
}

/** A code that was not exchanged yet. */
export async function askForCode(
  service: Target,
  dashboard: DashboardClient,
  { clientId, scopes = allScopes }: { clientId: string; scopes?: readonly string[] },
): Promise<{ attempt: Attempt; code: string }> {
  const attempt = createAttempt(service, clientId);
  const redirect = await approve(dashboard, { request: await requestOf(service, attempt), scopes });
  return { attempt, code: redirect.searchParams.get('code')! };
}

/** Connects a client of its own to the workspace of a member. */
export async function connect(
  service: Target,
  dashboard: DashboardClient,
  { scopes }: { scopes?: readonly string[] } = {},
): Promise<Connection> {
  const clientId = await registerClient(service);
  const { attempt, code } = await askForCode(service, dashboard, { clientId, scopes });
  const { status, json } = await postForm(service, 'token', codeForm(attempt, code));
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
  return { clientId, attempt, code, accessToken: json.access_token, refreshToken: json.refresh_token };
}

/** The status with which `/mcp/connect` answers an access token. */
export async function statusOf(service: Target, accessToken: string): Promise<number> {
  const message = { id: 1, method: 'tools/list' };
  return (await callMcp(service, message, { key: accessToken, path: '/mcp/connect' })).status;
}
