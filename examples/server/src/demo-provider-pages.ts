import type { ServerResponse } from 'node:http'
import { html } from './html.js'
import { appName } from './site.js'

/** The demo provider's own domain: the app trusts it for these addresses and no others. */
export const ownDomain = 'example.com'

/** The page where users choose an identity. */
export function loginPage(isRefused = false): ReturnType<typeof html> {
  return html`<h1>Log in to Demo</h1>
<p>${appName} wants to know who you are. This provider runs on your machine and asks for no password: log in as anyone.</p>
<form method="post">
<label for="email">Email address</label>
<input id="email" name="email" type="text" inputmode="email" value="ada@${ownDomain}" autocomplete="off" spellcheck="false" autofocus>
${isRefused ? html`<p class="fault" role="alert">Enter a valid email address, such as ada@${ownDomain}.</p>` : null}
<p class="hint">${appName} trusts this provider for addresses at ${ownDomain}. It verifies any other address by email.</p>
<div class="actions"><button type="submit">Continue</button><button type="submit" name="cancel" class="quiet">Cancel</button></div>
</form>`
}

/** The page for a login that has ended. */
export function expiredPage(baseUrl: string): ReturnType<typeof html> {
  return html`<h1>This page has expired</h1><p><a href="${baseUrl}/">Back to ${appName}</a></p>`
}

export function showPage(response: ServerResponse, status: number, main: ReturnType<typeof html>): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // No form-action: submitting the form redirects to the app.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
  response.end(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Log in to Demo</title>
<style>
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1a1a1a, #f2f2f2); background: light-dark(#e9f5f1, #0d1613); }
main { max-width: 26rem; margin: 12vh auto 2rem; padding: 1.75rem 1.5rem; background: light-dark(#fff, #17211e); border-radius: .5rem; }
@media (max-width: 30rem) { main { margin: 1rem; } }
h1 { margin: 0 0 1rem; font-size: 1.5rem; line-height: 1.25; }
label { display: block; margin-bottom: .25rem; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; padding: .5rem .625rem; font: inherit; border: 1px solid #767676; border-radius: .375rem; }
.hint { font-size: .875rem; color: light-dark(#4b5563, #b6bcc6); }
.fault { margin: .25rem 0 0; font-weight: 600; color: light-dark(#a3001b, #ff9d94); }
.actions { display: flex; flex-wrap: wrap; gap: .625rem; }
button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: #fff; background: #0b6b4f; border: 1px solid #0b6b4f; border-radius: .375rem; cursor: pointer; }
.quiet { color: inherit; background: transparent; border-color: #767676; }
:focus-visible { outline: 3px solid light-dark(#1a1a1a, #f2f2f2); outline-offset: 2px; }
</style>
</head>
<body><main>${main}</main></body>
</html>
`.toString(),
  )
}
