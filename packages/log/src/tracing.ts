// Traces of OpenTelemetry, sent as OTLP/HTTP with JSON (opentelemetry.io/docs/specs/otlp, version 1). The official SDK would add 8 MB of
// packages for these few spans. Off until `startTracing`: then each call below ends after one comparison.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';

type Attributes = Readonly<Record<string, string | number>>;

/** Numbers of the OTLP enum `SpanKind`. */
const kinds = { internal: 1, server: 2, client: 3, producer: 4 } as const;

interface SpanOptions {
  kind?: keyof typeof kinds;
  /** The `traceparent` of the parent (W3C Trace Context, version 00). The current span by default; another text begins a trace. */
  parent?: string | undefined;
  attributes?: Attributes;
}

export interface Span {
  /** For children in other processes. */
  traceparent: string;
  /** Ends it, with further attributes. `failed` marks it as an error. */
  end(outcome?: { attributes?: Attributes; failed?: boolean }): void;
}

interface TracingOptions {
  /** The base URL of a collector, without a trailing slash; `/v1/traces` is added. */
  endpoint: string;
  /** `service.name` of the process. */
  service: string;
  log: Pick<Logger, 'warn'>;
}

const waitingMax = 4096;
const batchMax = 512;
const everyMs = 1000;
const sendMaxMs = 5000;
/** A collector that does not answer must not keep a process from its end. */
const closeMaxMs = 2000;

const current = new AsyncLocalStorage<string>();
let record: ((span: object) => void) | undefined;

export const isTracing = (): boolean => record !== undefined;

/** The `traceparent` of the current span. Undefined outside of spans, and while traces are off. */
export const currentTraceparent = (): string | undefined => (record ? current.getStore() : undefined);

/** Begins a span. Undefined while traces are off. A span of a trace that its caller does not sample is not sent. */
export function startSpan(name: string, options: SpanOptions = {}): Span | undefined {
  const send = record;
  if (!send) return undefined;
  const { kind = 'internal', parent = current.getStore(), attributes = {} } = options;
  const [, givenTrace, parentSpanId, flags] =
    /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/.exec(parent ?? '') ?? [];
  const traceId = givenTrace ?? randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  const isSampled = flags === undefined || (Number.parseInt(flags, 16) & 1) === 1;
  const startedAt = nanoseconds();
  return {
    traceparent: `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`,
    end({ attributes: further = {}, failed = false } = {}) {
      if (!isSampled) return;
      send({
        traceId,
        spanId,
        ...(parentSpanId && { parentSpanId }),
        name,
        kind: kinds[kind],
        startTimeUnixNano: startedAt,
        endTimeUnixNano: nanoseconds(),
        attributes: toAttributes({ ...attributes, ...further }),
        status: failed ? { code: 2 } : {},
      });
    },
  };
}

/** Runs work in which the span is the current one. */
export const runInSpan = <Result>({ traceparent }: Span, work: () => Result): Result =>
  current.run(traceparent, work);

/** Runs work in a span of its own, which ends with it. */
export async function traced<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, { attributes });
  if (!span) return work();
  let failed = true;
  try {
    const result = await runInSpan(span, work);
    failed = false;
    return result;
  } finally {
    span.end({ failed });
  }
}

/**
 * Sends the spans of this process to a collector, until `close`, which sends the last ones within 2 s. At most 4,096 wait; further ones are dropped, like
 * those that the collector does not take within 5 s. Tracing never fails or delays a call.
 */
export function startTracing({ endpoint, service, log }: TracingOptions): { close(): Promise<void> } {
  let waiting: object[] = [];
  let dropped = 0;
  let sending: Promise<void> | undefined;
  const resource = { attributes: toAttributes({ 'service.name': service }) };

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      try {
        const { ok, status, body } = await fetch(`${endpoint}/v1/traces`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({
            resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'webinar-service' }, spans }] }],
          }),
          redirect: 'error',
          signal: AbortSignal.timeout(sendMaxMs),
        });
        await body?.cancel();
        if (!ok) throw new Error(`The collector answered ${status}`);
      } catch (error) {
        dropped += spans.length + waiting.length;
        waiting = [];
        log.warn({ err: error, dropped }, 'Traces could not be sent');
      }
    }
  }
  // Sending is no part of the span in which it was begun.
  const send = (): Promise<void> =>
    (sending ??= current.exit(sendAll).finally(() => {
      sending = undefined;
    }));

  record = (span) => {
    if (waiting.length < waitingMax) waiting.push(span);
    else dropped += 1;
  };
  const timer = setInterval(() => void send(), everyMs).unref();
  return {
    async close() {
      record = undefined;
      clearInterval(timer);
      const last = (async () => {
        await sending;
        await send();
      })();
      await Promise.race([last, delay(closeMaxMs, undefined, { ref: false })]);
    },
  };
}

const nanoseconds = (): string => `${Math.round((performance.timeOrigin + performance.now()) * 1000)}000`;

const toAttributes = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
