import { createSecret, signingKeys, signStandard } from '@service/signing';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';

export interface SignedReport {
  headers: Record<string, string>;
  body: string;
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

/** A report of Resend, signed as Svix does. */
export function signResend(secret: string, report: object, at = new Date()): SignedReport {
  const body = JSON.stringify(report);
  const id = `msg_${randomUUID()}`;
  const message = { id, timestampSeconds: seconds(at), body };
  return {
    headers: {
      'Content-Type': 'application/json',
      'svix-id': id,
      'svix-timestamp': String(message.timestampSeconds),
      'svix-signature': signStandard(signingKeys(secret).standard, message),
    },
    body,
  };
}

/** A provider that signs reports of hard bounces: its secret for the page, and a report about an address. */
export interface ReportSigner {
  secret: string;
  bounce(email: string, at?: Date): SignedReport;
}

export const signers = {
  resend(): ReportSigner {
    const secret = createSecret();
    return {
      secret,
      bounce: (email, at) =>
        signResend(
          secret,
          {
            type: 'email.bounced',
            created_at: new Date().toISOString(),
            data: {
              email_id: randomUUID(),
              to: [email],
              bounce: { type: 'Permanent', message: 'unknown user' },
            },
          },
          at,
        ),
    };
  },

  sendgrid(): ReportSigner {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return {
      secret: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      bounce(email, at = new Date()) {
        const timestamp = String(seconds(at));
        const body = JSON.stringify([
          { email, event: 'bounce', type: 'bounce', sg_event_id: randomUUID(), timestamp: Number(timestamp) },
          { email, event: 'unsubscribe', sg_event_id: randomUUID(), timestamp: Number(timestamp) },
        ]);
        const signature = sign('sha256', Buffer.from(timestamp + body), privateKey).toString('base64');
        return {
          headers: {
            'Content-Type': 'application/json',
            'x-twilio-email-event-webhook-signature': signature,
            'x-twilio-email-event-webhook-timestamp': timestamp,
          },
          body,
        };
      },
    };
  },
};
