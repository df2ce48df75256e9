// The package as a worker uses it, with the limits of a test.
import { onTestFinished } from 'vitest';
import {
  createOutboundAgent,
  createOutboundPolicy,
  createResolver,
  type OutboundAgentOptions,
  type OutboundRequest,
  type Resolver,
  sendRequest,
  type SendOutcome,
} from '../index.ts';

export const strictPolicy = createOutboundPolicy({ allowedCidrs: [], allowHttp: true });
export const localPolicy = createOutboundPolicy({
  allowedCidrs: ['127.0.0.0/8', '::1/128'],
  allowHttp: true,
});

export type Send = (url: string, request?: Partial<OutboundRequest>) => Promise<SendOutcome>;

/** Makes a sender which may reach this machine, unless the test gives it another policy. */
export function createSender(options: Partial<OutboundAgentOptions> = {}): Send {
  const agent = createOutboundAgent({ policy: localPolicy, resolver: createResolver(), ...options });
  onTestFinished(() => agent.destroy());
  return (url, request) =>
    sendRequest({
      agent,
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-signature': 'sha256=00' },
      body: '{"hello":"world"}',
      deadlineMs: 2000,
      ...request,
    });
}

/** A resolver that gives the answers of a table, in turn when a name has several, and counts the calls. */
export function createTableResolver(answers: Record<string, string[][]>): Resolver & { calls: number } {
  const resolver = {
    calls: 0,
    resolve(hostname: string): Promise<string[]> {
      const turns = answers[hostname] ?? [[]];
      return Promise.resolve(turns[Math.min(resolver.calls++, turns.length - 1)]!);
    },
  };
  return resolver;
}
