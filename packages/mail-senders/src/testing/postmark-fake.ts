// https://postmarkapp.com/developer/api/overview#error-codes
import {
  decode,
  domainOf,
  type FakeAnswer,
  type FakeRules,
  lowerNames,
  readMailbox,
  unknownFields,
} from './http-fake.ts';

const refuse = (ErrorCode: number, Message: string, status = 422): FakeAnswer => ({
  status,
  body: { ErrorCode, Message },
});

interface Header {
  Name: string;
  Value: string;
}

export const postmarkFake: FakeRules = {
  defaultKey: '3f5c2a1e-7b90-4d5f-9a61-0c2d4e6f8a1b',
  sendPath: '/email',
  keyOf: ({ headers }) => headers['x-postmark-server-token'] as string | undefined,
  unauthorized: (key) => refuse(10, `No Account or Server API tokens were supplied: ${key}`, 401),
  rateLimited: { ...refuse(429, 'Rate limit exceeded.', 429), headers: { 'retry-after': '7' } },
  unavailable: refuse(100, 'The Postmark API is offline for maintenance.', 503),
  answer({ path }) {
    if (path === '/server') return { status: 200, body: { ID: 1, Name: 'Webinars', ApiTokens: [] } };
    if (path === '/message-streams/outbound') return { status: 200, body: { ID: 'outbound' } };
    return refuse(1226, 'This stream does not exist.', 404);
  },
  readMail({ body }, { verifiedDomains, inactive }) {
    if (body === undefined) return refuse(402, 'Received invalid JSON input.');
    const known = ['From', 'To', 'ReplyTo', 'Subject', 'TextBody', 'HtmlBody', 'MessageStream'];
    const unknown = unknownFields(body, [...known, 'TrackOpens', 'TrackLinks', 'Headers', 'Attachments']);
    if (unknown.length > 0) return refuse(403, `Unknown fields ${unknown.join()}`);
    if (body['MessageStream'] !== 'outbound') return refuse(1235, 'The MessageStream does not exist.');
    const from = readMailbox(body['From']);
    const to = readMailbox(body['To']);
    if (!from) return refuse(300, "Invalid 'From' address.");
    if (!to) return refuse(300, "Error parsing 'To': Illegal email address.");
    if (inactive.has(to.address))
      return refuse(406, `You tried to send to a recipient that has been marked as inactive: ${to.address}`);
    if (!verifiedDomains.has(domainOf(from.address)))
      return refuse(400, `The 'From' address you supplied (${from.address}) is not a Sender Signature.`);
    const headers = lowerNames(
      Object.fromEntries((body['Headers'] as Header[]).map(({ Name, Value }) => [Name, Value])),
    );
    // Postmark replaces the Message-ID unless it is asked to keep it, and removes that question.
    if (headers['x-pm-keepid'] !== 'true') delete headers['message-id'];
    delete headers['x-pm-keepid'];
    const [file] = (body['Attachments'] ?? []) as { Content: string; ContentType: string }[];
    return {
      idempotencyKey: undefined,
      from,
      replyTo: body['ReplyTo'] === undefined ? undefined : readMailbox(body['ReplyTo']),
      to: [to.address],
      subject: String(body['Subject']),
      text: String(body['TextBody']),
      html: body['HtmlBody'] as string | undefined,
      headers,
      calendar: file && { content: decode(file.Content), type: file.ContentType },
    };
  },
  accepted: ({ id, to }) => ({
    status: 200,
    body: { To: to[0], SubmittedAt: '2026-12-01T17:00:00Z', MessageID: id, ErrorCode: 0, Message: 'OK' },
  }),
};
