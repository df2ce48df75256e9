// Breaks the connection to each provider at any byte, in either direction, and repeats the mail as the outcome says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mailSenders } from './index.ts';
import {
  createTestContext,
  credentialOf,
  type Cut,
  exampleMail,
  startCuttingProxy,
  startFake,
} from './testing/index.ts';

/** Runs for each sender. Each has up to three broken connections and then an undisturbed one. */
const histories = 60;
const seed = 20_261_201;

for (const sender of mailSenders) {
  test(`${sender.name}: no mail is lost or sent twice, wherever connections break`, async () => {
    await using fake = await startFake(sender.id);
    await using proxy = await startCuttingProxy(fake.port);
    const credential = sender.credential.parse(credentialOf(sender.id, proxy));

    const attempt = async (cut: Cut | undefined, mail = exampleMail()) => {
      proxy.cut = cut;
      // Connections of its own, so that each attempt is cut from its first byte.
      await using context = createTestContext({ port: proxy.port, baseUrl: fake.baseUrl });
      return await sender.send(mail, credential, context);
    };
    expect(await attempt(undefined)).toMatchObject({ kind: 'sent' });
    const length = { ...proxy.passed };
    const cuts = fc.oneof(
      ...(['to_server', 'to_client'] as const).map((side) =>
        fc.record({ side: fc.constant(side), afterBytes: fc.nat(length[side]) }),
      ),
    );

    const counts = { attempts: 0, uncertain: 0, arrivedUncertain: 0 };
    const history = fc.asyncProperty(fc.array(cuts, { minLength: 1, maxLength: 3 }), async (broken) => {
      fake.mails.length = 0;
      const mail = exampleMail();
      let outcome;
      for (const cut of [...broken, undefined]) {
        counts.attempts++;
        outcome = await attempt(cut, mail);
        if (outcome.kind !== 'later') break;
      }
      const arrived = fake.mails.length;
      if (outcome!.kind === 'uncertain') {
        counts.uncertain++;
        counts.arrivedUncertain += arrived;
        expect(sender.idempotencyMs).toBeUndefined();
        expect(arrived).toBeLessThanOrEqual(1);
      } else {
        expect(outcome).toMatchObject({ kind: 'sent' });
        expect(arrived).toBe(1);
      }
    });
    await fc.assert(history, { numRuns: histories, seed });
    if (sender.idempotencyMs === undefined) {
      // The seed breaks some connections before the mail was handed over and some after it.
      expect(counts.uncertain).toBeGreaterThan(0);
      expect(counts.uncertain).toBeLessThan(histories);
      expect(counts.arrivedUncertain).toBeGreaterThan(0);
    }
  });
}
