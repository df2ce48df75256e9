import type { AppError } from '@service/errors';

/** The page for a request that cannot be answered to its client. */
export const errorPage = ({ message }: AppError): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The client cannot be connected</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; }
</style>
</head>
<body>
<main>
<h1>The client cannot be connected</h1>
<p>${escapeHtml(message)}</p>
<p>Nothing was changed. Close this page and start again in the client.</p>
</main>
</body>
</html>
`;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => escapes[character]!);
