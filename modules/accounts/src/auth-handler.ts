// The HTTP routes of sign-in. Only the routes of better-auth in this file exist. Its other routes (creating and deleting
// workspaces, changing roles, listing sessions with their tokens) would bypass the rules of this module, so they are answered
// 404.
import { databaseTime } from '@service/database';
import { AppError, commonErrors } from '@service/errors';
import { readBytes, sendJson } from '@service/rest';
import { errorOf } from '@service/trpc';
import type { Auth } from 'better-auth';
import type { ServerResponse } from 'node:http';
import type { MailRoutes } from './mails/mail-routes.ts';
import type { MemberMails } from './mails/member-mails.ts';
import {
  clientAddressHeader,
  sendError,
  toHeaders,
  type NodeHandler,
  type NodeRequest,
} from './node-http.ts';
import type { OnError, OutageWatch } from './outage-watch.ts';
import type { OutdatedSignIns } from './outdated-sign-in.ts';
import type { Sessions } from './sessions.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import type { CheckSignUp } from './sign-up.ts';

const basePath = '/api/auth';

/** The routes, with the fields of their body or query that are passed to better-auth. */
const fieldsByRoute = new Map<string, readonly string[]>([
  ['POST /sign-up/email', ['name', 'email', 'password', 'rememberMe', 'workspaceName']],
  ['POST /sign-in/email', ['email', 'password', 'rememberMe']],
  ['POST /sign-out', []],
  ['POST /change-password', ['currentPassword', 'newPassword']],
  ['POST /two-factor/enable', ['password']],
  ['POST /two-factor/verify-totp', ['code', 'trustDevice']],
  ['POST /two-factor/verify-backup-code', ['code', 'trustDevice']],
  ['POST /two-factor/generate-backup-codes', ['password']],
  ['POST /two-factor/disable', ['password']],
  ['POST /organization/accept-invitation', ['invitationId']],
]);

/** The routes whose success proves that the caller knows the password. */
const provingPaths = new Set([
  '/sign-up/email',
  '/sign-in/email',
  '/change-password',
  '/two-factor/verify-totp',
  '/two-factor/verify-backup-code',
]);

/** The routes at which a signed-in person types their password. */
const ownPasswordPaths = new Set([
  '/change-password',
  '/two-factor/enable',
  '/two-factor/generate-backup-codes',
  '/two-factor/disable',
]);

const bodyBytesMax = 16_384;

type Input = Record<string, unknown>;

interface AuthHandlerOptions {
  auth: Auth;
  /** The public URL of the service. The Host header is not trusted. */
  baseUrl: string;
  origins: ReadonlySet<string>;
  clientAddress: (req: NodeRequest) => string;
  /** Undefined: there are no limits. */
  limits: SignInLimits | undefined;
  checkSignUp: CheckSignUp;
  outdated: OutdatedSignIns;
  signedInUser: Sessions['signedInUser'];
  /** Undefined: the installation sends no mail, and the routes that need mails do not exist. */
  mails: MemberMails | undefined;
  mailRoutes: MailRoutes | undefined;
  /** The open invitation with an id. Throws invitation_not_found. */
  readInvitation: (id: unknown) => Promise<object>;
  onPasswordChanged: (userId: string) => Promise<void>;
  onTwoFactorDisabled: (userId: string) => Promise<void>;
  outages: OutageWatch;
  onError: OnError;
}

/** Serves the sign-in routes. Mount it before any body parser: it reads the body, at most 16 KB of JSON. */
export function createAuthHandler(options: AuthHandlerOptions): NodeHandler {
  return (req, res) => {
    answer(options, req, res).catch((error: unknown) => {
      if (error instanceof AppError) return sendError(res, error);
      options.onError('A sign-in request failed.', error);
      if (res.headersSent) res.destroy();
      else sendError(res, errorOf(error));
    });
  };
}

async function answer(options: AuthHandlerOptions, req: NodeRequest, res: ServerResponse): Promise<void> {
  const method = req.method ?? 'GET';
  const target = req.originalUrl ?? req.url ?? '';
  const [pathname = '', query = ''] = target.split('?', 2);
  const path = pathname.slice(basePath.length);
  if (!pathname.startsWith(`${basePath}/`) || !exists(options, method, path))
    return refuse(res, 404, 'not_found', 'Not found.');
  // A browser sends its origin with every POST. Other programs may leave it out.
  const { origin } = req.headers;
  if (origin !== undefined && !options.origins.has(origin)) {
    return refuse(res, 403, 'foreign_origin', `Open the dashboard at ${options.baseUrl}.`);
  }
  // A form of another site cannot send JSON.
  if (method === 'POST' && !/^application\/json\b/i.test(req.headers['content-type'] ?? '')) {
    return refuse(res, 415, 'unsupported_media_type', 'Send JSON with Content-Type: application/json.');
  }
  const body = await readBytes(req, bodyBytesMax);
  const input = method === 'POST' ? readInput(body) : readQuery(query);
  const address = options.clientAddress(req);
  const email = await attackedEmail(options, { path, input, req });
  await options.limits?.admit({ path, address, email });
  if (path === invitationPath) return sendJson(res, 200, await options.readInvitation(input['id']));
  if (path === '/sign-up/email') await options.checkSignUp(input);
  const { routes, confirmSignUp } = options.mailRoutes ?? {};
  const ownRoute = routes?.get(path);
  if (ownRoute) return sendJson(res, 200, await ownRoute({ input, address, headers: req.headers }));
  if (path === confirmPath && confirmSignUp) {
    // The first sign-in of the new user.
    const credentials = await confirmSignUp(input);
    return await callBetterAuth(options, { req, res, address, path: '/sign-in/email', input: credentials });
  }
  await callBetterAuth(options, { req, res, address, path, input });
}

const confirmPath = '/sign-up/confirm';
const invitationPath = '/invitation';

function exists({ mailRoutes }: AuthHandlerOptions, method: string, path: string): boolean {
  if (fieldsByRoute.has(`${method} ${path}`)) return true;
  if (path === invitationPath) return method === 'GET';
  if (method !== 'POST' || !mailRoutes) return false;
  return path === confirmPath || mailRoutes.routes.has(path);
}

async function callBetterAuth(options: AuthHandlerOptions, call: Call): Promise<void> {
  const { res, path, address, input } = call;
  const email = path === '/sign-in/email' && typeof input['email'] === 'string' ? input['email'] : '';
  const mark = path === '/sign-in/email' ? await options.outdated.markPassword(email) : undefined;
  const request = toRequest(options, call);
  // Before the call, which replaces the session.
  const disabling = path === '/two-factor/disable' ? await options.signedInUser(call.req.headers) : null;
  const response = await options.outages.run(() => options.auth.handler(request));
  if (response.ok && provingPaths.has(path)) {
    const { token, user, twoFactorRedirect } = (await response.clone().json()) as Proof;
    // With `twoFactorRedirect` a code is asked for, and there is no session.
    const isOutdated = twoFactorRedirect
      ? (await options.outdated.markPassword(email)) !== mark
      : path === '/sign-in/email' && (await options.outdated.endIfOutdated(token, mark));
    if (isOutdated) return refuse(res, 401, 'INVALID_EMAIL_OR_PASSWORD', 'Invalid email or password');
    if (twoFactorRedirect) return send(res, response);
    await rememberAddress(options, user.id, address);
    if (path === '/change-password') await options.onPasswordChanged(user.id);
    if (path === '/sign-up/email') await sendVerification(options, user.email, address);
  }
  if (response.ok && disabling) await options.onTwoFactorDisabled(disabling.id);
  await send(res, response);
}

/** A part of better-auth's answer to a correct password or code. */
interface Proof {
  twoFactorRedirect?: boolean;
  token: string;
  user: { id: string; email: string };
}

/** A failure is only logged: the sign-in has succeeded. */
async function rememberAddress(
  { limits, onError }: AuthHandlerOptions,
  userId: string,
  address: string,
): Promise<void> {
  try {
    await limits?.remember(userId, address);
  } catch (error) {
    onError('The address of a sign-in could not be remembered.', error);
  }
}

/** A failure is only logged: the user exists, and can ask for the mail again. */
async function sendVerification(
  { mails, onError }: AuthHandlerOptions,
  email: string,
  address: string,
): Promise<void> {
  try {
    await mails?.admit({ email, address });
    await mails?.send({ kind: 'verification', email }, databaseTime());
  } catch (error) {
    onError('The mail to a new user could not be queued.', error);
  }
}

interface Call {
  req: NodeRequest;
  res: ServerResponse;
  path: string;
  address: string;
  input: Input;
}

/** A new request for better-auth, which contains only the checked fields. */
function toRequest({ baseUrl }: AuthHandlerOptions, { req, path, address, input }: Call): Request {
  const fields = fieldsByRoute.get(`${req.method} ${path}`) ?? [];
  const headers = toHeaders(req);
  headers.set(clientAddressHeader, address);
  headers.delete('content-length');
  const known = Object.fromEntries(fields.flatMap((name) => (name in input ? [[name, input[name]]] : [])));
  // A change of the password always ends the other sessions.
  if (path === '/change-password') known['revokeOtherSessions'] = true;
  const url = new URL(basePath + path, baseUrl);
  if (req.method === 'POST')
    return new Request(url, { method: 'POST', headers, body: JSON.stringify(known) });
  for (const [name, value] of Object.entries(known)) url.searchParams.set(name, String(value));
  return new Request(url, { headers });
}

/** The JSON object of a body. An empty body is an empty object. Throws malformed_json, validation_failed. */
function readInput(body: Buffer): Input {
  if (body.length === 0) return {};
  const input: unknown = parseJson(body.toString('utf8'));
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw commonErrors.malformed_json();
  return storable(input as Input);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw commonErrors.malformed_json({ cause: error });
  }
}

const readQuery = (query: string): Input => storable(Object.fromEntries(new URLSearchParams(query)));

/** Refuses NUL, which Postgres cannot store. Throws validation_failed with every such field. */
function storable(input: Input): Input {
  const refused = Object.keys(input).filter((name) => {
    const value = input[name];
    return typeof value === 'string' && value.includes('\0');
  });
  if (refused.length === 0) return input;
  const issues = refused.map((path) => ({ path, message: 'Must not contain the NUL character.' }));
  throw commonErrors.validation_failed({ issues });
}

/** The e-mail address of the account whose password is tried. It is not validated: better-auth refuses an invalid one. */
async function attackedEmail(
  { signedInUser }: AuthHandlerOptions,
  { path, input, req }: { path: string; input: Input; req: NodeRequest },
): Promise<string | undefined> {
  if (ownPasswordPaths.has(path)) return (await signedInUser(req.headers))?.email;
  const { email } = input;
  return path === '/sign-in/email' && typeof email === 'string' ? email : undefined;
}

async function send(res: ServerResponse, response: Response): Promise<void> {
  for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value);
  const setCookies = response.headers.getSetCookie();
  if (setCookies.length > 0) res.setHeader('set-cookie', setCookies);
  res.setHeader('cache-control', 'no-store');
  res.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
}

function refuse(res: ServerResponse, status: number, code: string, message: string): void {
  // The rest of the body is not read.
  if (status === 413) res.setHeader('connection', 'close');
  sendJson(res, status, { code, message });
}
