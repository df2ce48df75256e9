import { createClient, type Client } from '@service/client';
import { setTimeout as wait } from 'node:timers/promises';
import { styleText } from 'node:util';

export type Steps = ReturnType<typeof createSteps>;

const indent = (text: string): string => text.replaceAll(/^/gm, '    ');

export function createSteps(baseUrl: string) {
  let number = 0;
  let calls = 0;
  const print = (text: string): void => console.log(indent(text));

  /** `fetch` of the client: prints each request and its answer. */
  const shownFetch: typeof fetch = async (url, init = {}) => {
    const response = await fetch(url, init);
    const { method = 'GET', body } = init;
    const headers = new Headers(init.headers);
    if (headers.has('authorization')) calls += 1;
    const signature = headers.get('x-service-signature');
    if (signature) print(`X-Service-Signature: ${signature}`);
    const sent = body ? JSON.parse(await new Response(body).text()) : undefined;
    printExchange(`${method} ${url as string}`, sent, { response, text: await response.clone().text() });
    return response;
  };

  function printExchange(sent: string, body: unknown, answer: { response: Response; text: string }): void {
    print(styleText('cyan', sent));
    if (body !== undefined) print(JSON.stringify(body, null, 2));
    print(
      styleText(
        answer.response.ok ? 'green' : 'red',
        `${answer.response.status} ${answer.response.statusText}`,
      ),
    );
    if (answer.text !== '') print(prettyJson(answer.text));
  }

  async function showMailPage(url: string): Promise<void> {
    const page = await (await fetch(url)).text();
    const [, subject = ''] = /<h1>([^<]*)<\/h1>/.exec(page) ?? [];
    const [, text = ''] = /<pre>([^<]*)<\/pre>/.exec(page) ?? [];
    print(styleText('cyan', url));
    print(`${decodeHtml(subject)}\n\n${decodeHtml(text)}`);
    const [, file] = /href="(\/mail\/[^"]*\.ics)"/.exec(page) ?? [];
    if (file) print(`Attachment: ${baseUrl}${file}`);
  }

  return {
    title(text: string): void {
      number += 1;
      console.log(`\n${styleText('bold', `${number}. ${text}`)}`);
    },
    say: print,
    /** A heading and the fields below it. */
    show(heading: string, fields: Record<string, string>): void {
      print(styleText('cyan', heading));
      for (const [name, value] of Object.entries(fields)) print(`${name}: ${value}`);
    },
    json: (text: string): void => print(prettyJson(text)),
    shownFetch,
    /** A client that prints each request and its answer. A refusal ends the demo. */
    clientWith: (key: string): Client => createClient({ baseUrl, key, fetch: shownFetch, retriesMax: 0 }),
    /** Calls a tool as an assistant does, prints call and result. A refusal ends the demo. */
    async tool(name: string, given: Record<string, unknown>, { key }: { key: string }): Promise<void> {
      calls += 1;
      const params = { name, arguments: given };
      const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const response = await fetch(`${baseUrl}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'MCP-Protocol-Version': '2025-11-25',
        },
        body: message,
      });
      const answer = { response, text: await response.text() };
      const { result } = JSON.parse(answer.text) as {
        result?: { isError?: true; structuredContent: object };
      };
      const isDone = result && !result.isError;
      const shown = isDone ? JSON.stringify(result.structuredContent) : answer.text;
      printExchange(`POST ${baseUrl}/mcp`, JSON.parse(message), { response, text: shown });
      if (!isDone) throw new Error('The tool refused the call. The demo ends here.');
    },
    /** Waits until the newest delivery of a subscription has ended. */
    async settled(key: string, path: { webinarId: string; webhookId: string }): Promise<void> {
      const client = createClient({ baseUrl, key });
      for (let tries = 1; tries <= 20; tries += 1) {
        calls += 1;
        const { data } = await client.listWebhookDeliveries({ path });
        if (data[0]?.deliveredAt) return;
        await wait(100);
      }
    },
    /** Prints the newest mail to an address as the mailbox shows it. An installation with a mail server has no mailbox. */
    async showMail(to: string): Promise<void> {
      for (let tries = 1; ; tries += 1) {
        const page = await fetch(`${baseUrl}/mail`);
        if (page.status === 404)
          return print('Left out: the mails of this installation leave through a mail server.');
        const entry = (await page.text()).split('<li>\n').find((text) => text.includes(`To ${to} `));
        const [path] = /\/mail\/[\da-f-]+/.exec(entry ?? '') ?? [];
        if (path) return showMailPage(`${baseUrl}${path}`);
        if (tries === 50) throw new Error('No confirmation came within 5 s. Is the worker running?');
        await wait(100);
      }
    },
    callsMade: (): number => calls,
    done: (): void => console.log(`\n${styleText('green', 'The main job works.')}`),
  };
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const decodeHtml = (text: string): string =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_entity, name: string) => characters[name]!);

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
