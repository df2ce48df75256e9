// POST /api/webhooks/revenue/{accountId}/{provider}. Its callers have a signing secret instead of an API key, so it is outside of the
// chain of the REST surface.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createId } from '@service/database';
import { commonErrors } from '@service/errors';
import type { Log } from '@service/log';
import type { HttpDoor } from '@service/module';
import { addressKey, errorToAnswer, mayBeLonger, readBytes, sendJson } from '@service/rest';
import { errorOf, logFailure } from '@service/trpc';
import { Router, type Request } from 'express';
import { revenueErrors } from '../../errors.ts';
import { revenuePath } from '../provider.ts';
import { createBodyTurns, ordinaryBytes } from './body-turns.ts';
import type { IntakeAnswer, RevenueIntake } from './intake.ts';

export interface DoorParts {
  revenueIntake: RevenueIntake;
  docsUrl: string;
  log: Log;
}

/** Largest body, in bytes. Stripe's events have at most a tenth of it. */
const bytesMax = 256 * 1024;

/** Bodies of one address that are read or wait for their turn: 50 MB at most, and 2.3 s. */
const readingMax = 200;

export function createRevenueDoor({ revenueIntake, docsUrl, log }: DoorParts): HttpDoor {
  const router = Router({ caseSensitive: true, strict: true });
  const readingBySender = new Map<string, number>();
  const turns = createBodyTurns();

  const readAll = async (request: Request, sender: string): Promise<Buffer> => {
    const reading = readingBySender.get(sender) ?? 0;
    if (reading >= readingMax) throw revenueErrors.too_many_revenue_requests({ retryAfterSeconds: 1 });
    readingBySender.set(sender, reading + 1);
    try {
      const body = await readBytes(request, bytesMax);
      const waitMs = turns.take(sender, body.length);
      if (waitMs > 0) await delay(waitMs);
      return body;
    } finally {
      const left = readingBySender.get(sender)! - 1;
      if (left === 0) readingBySender.delete(sender);
      else readingBySender.set(sender, left);
    }
  };

  const receive = async (request: Request): Promise<IntakeAnswer> => {
    const { accountId, provider: name } = request.params as { accountId: string; provider: string };
    const provider = revenueIntake.providers.find((one) => one.name === name);
    if (!provider) throw commonErrors.not_found();
    if (isCompressed(request)) throw revenueErrors.content_encoding_unsupported();
    const sender = addressKey(request.ip ?? '');
    // A short body is read and proved even then, so that a forger never blocks events of a shop behind the same address.
    if (mayBeLonger(request, ordinaryBytes)) revenueIntake.requireUnprovedLeft(sender);
    const body = await readAll(request, sender);
    return revenueIntake.receive({ accountId, provider, headers: request.headers, body, sender });
  };

  const refuse = (response: ServerResponse, thrown: unknown): void => {
    const error = errorOf(thrown);
    const requestId = createId();
    logFailure(log, error, { message: 'A revenue event failed', requestId });
    const { status, body, headers } = errorToAnswer(error, { requestId, docsUrl });
    // The scheme of API keys, which this address does not take.
    const { 'WWW-Authenticate': _scheme, ...others } = headers;
    sendJson(response, status, body, { ...others, 'X-Request-Id': requestId });
  };

  router
    .route(`${revenuePath}/:accountId/:provider`)
    .post(async (request, response) => {
      try {
        const { status, body } = await receive(request);
        sendJson(response, status, body, { 'X-Request-Id': createId() });
      } catch (error) {
        refuse(response, error);
      }
    })
    .all((_request, response) => {
      response.setHeader('Allow', 'POST');
      refuse(response, commonErrors.method_not_allowed());
    });
  return { mount: (routes) => void routes.use(router) };
}

const isCompressed = ({ headers }: IncomingMessage): boolean =>
  (headers['content-encoding'] ?? 'identity') !== 'identity';
