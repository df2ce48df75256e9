// Breaks the connection to each provider at any byte, in either direction, and repeats the mail as the outcome says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MailSender, mailSenders, type SendOutcome } from './index.ts';
import {
  createTestContext,
  credentialOf,
  type Cut,
  type CuttingProxy,
  exampleMail,
  type FakeProvider,
  startCuttingProxy,
  startFake,
} from './testing/index.ts';

/** For each sender. Each history has up to three broken connections and then an undisturbed one. */
const histories = 60;
const seed = 20_261_201;
/** Histories at a time, each with a provider of its own: a mail server greets only after 100 ms. */
const lanes = 6;

for (const sender of mailSenders) {
  test(`${sender.name}: no mail is lost or sent twice, wherever connections break`, async () => {
    const { passed } = await runHistory(sender, []);
    const cut = (side: Cut['side']) =>
      fc.record({ side: fc.constant(side), afterBytes: fc.nat(passed[side]) });
    const broken = fc.array(fc.oneof(cut('to_server'), cut('to_client')), { minLength: 1, maxLength: 3 });
    const drawn = fc.sample(broken, { numRuns: histories, seed });

    const ends: Awaited<ReturnType<typeof runHistory>>[] = [];
    const runLane = async (lane: number): Promise<void> => {
      for (let at = lane; at < histories; at += lanes) ends.push(await runHistory(sender, drawn[at]!));
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));

    const uncertain = ends.filter(({ outcome }) => outcome.kind === 'uncertain');
    const others = ends.filter((end) => !uncertain.includes(end));
    expect(ends).toHaveLength(histories);
    expect(others.filter(({ outcome, arrived }) => outcome.kind !== 'sent' || arrived !== 1)).toEqual([]);
    expect(uncertain.filter(({ arrived }) => arrived > 1)).toEqual([]);
    if (sender.idempotencyMs !== undefined) return expect(uncertain).toEqual([]);
    // The seed breaks some connections before the mail was handed over, and some after the provider has taken it.
    expect(others.length).toBeGreaterThan(0);
    expect(uncertain.filter(({ arrived }) => arrived === 1).length).toBeGreaterThan(0);
  });
}

interface End {
  outcome: SendOutcome;
  /** Times that the provider has taken the mail. */
  arrived: number;
  passed: CuttingProxy['passed'];
  broken: Cut[];
}

async function runHistory(sender: MailSender, broken: Cut[]): Promise<End> {
  await using fake = await startFake(sender.id);
  await using proxy = await startCuttingProxy(fake.port);
  const mail = exampleMail();
  for (const cut of broken) {
    proxy.cut = cut;
    const outcome = await attempt(sender, fake, proxy, mail);
    if (outcome.kind !== 'later')
      return { outcome, arrived: fake.mails.length, passed: proxy.passed, broken };
  }
  proxy.cut = undefined;
  const outcome = await attempt(sender, fake, proxy, mail);
  return { outcome, arrived: fake.mails.length, passed: proxy.passed, broken };
}

/** One send over a connection of its own. */
async function attempt(
  sender: MailSender,
  fake: FakeProvider,
  proxy: CuttingProxy,
  mail: ReturnType<typeof exampleMail>,
): Promise<SendOutcome> {
  await using context = createTestContext({ port: proxy.port, baseUrl: fake.baseUrl });
  const credential = sender.credential.parse(credentialOf(sender.id, proxy));
  return await sender.send(mail, credential, context);
}
