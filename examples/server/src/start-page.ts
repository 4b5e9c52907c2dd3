import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from './config.js'
import { nameOf } from './database.js'
import { type Html, html } from './html.js'
import type { Site } from './site.js'

/** Serves /start: what is running, and commands to try the routes; as text to clients other than browsers. */
export function mountStartPage(app: FastifyInstance, settings: Settings, site: Site): void {
  app.get('/start', (request, reply) =>
    wantsPage(request)
      ? site.page(reply, { title: 'The API', main: startPageHtml(settings), current: 'start' })
      : asText(reply, settings),
  )
}

/** Whether a browser is navigating to a page. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') ?? false
}

/** The same as text, which clients other than browsers get at / too. */
export function asText(reply: FastifyReply, settings: Settings): string {
  reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store')
  return `${facts(settings).join('\n')}\n\n${commands(settings)}\n`
}

function startPageHtml(settings: Settings): Html {
  return html`<h1>The API</h1>
<ul>${facts(settings).map((fact) => html`<li>${fact}</li>`)}</ul>
<p><a href="docs">Try the routes in the browser</a>, or get <a href="docs/json">their OpenAPI document</a>.</p>
<h2>With curl</h2>
<pre class="card" tabindex="0" aria-label="Commands">${commands(settings)}</pre>`
}

function facts({ baseUrl, database, redisUrl, smtp, ...settings }: Settings): string[] {
  const place = `${engineNames[database.engine]}, ${nameOf(database)}`
  const creation = {
    user: 'Users are created at /user/.',
    signup: 'Users are created at /signup/.',
    both: 'Users are created at /user/ and at /signup/.',
    off: 'The users routes are off: nobody can sign up.',
  }[settings.usersVariant]
  const confirmation = settings.requireEmailConfirmation ? ' The email address must be confirmed first.' : ''
  return [
    `The example server of fastify-accounts, at ${baseUrl}.`,
    redisUrl === null
      ? `Users and sessions are in ${place}.`
      : `Users are in ${place}. Sessions and counters are in Redis, ${new URL(redisUrl).host}.`,
    smtp === null ? `Emails are kept at ${baseUrl}/dev/mailbox.` : 'Emails are sent over SMTP.',
    `${creation}${settings.usersVariant === 'off' ? '' : confirmation}`,
    `${staffHint}.`,
  ]
}

/** For a user who has just started the server in a terminal. */
export function greeting({ baseUrl, smtp }: Settings): string {
  const lines: [what: string, where: string][] = [
    ['The app', baseUrl],
    ...(smtp === null ? [['Its emails', `${baseUrl}/dev/mailbox`] as [string, string]] : []),
    ['The API', `${baseUrl}/docs`],
    ['Make a user staff', 'npm run staff -- USERNAME'],
  ]
  return `\n${lines.map(([what, where]) => `  ${what.padEnd(24)}${where}\n`).join('')}\n`
}

/** Runs src/staff.ts. */
const staffHint = 'To make a user staff: npm run staff -- USERNAME'

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL' }

const password = 'seven-green-lanterns'

/** Shell commands, one step per paragraph; they work when pasted in this order. */
function commands(settings: Settings): string {
  const { baseUrl, usersVariant, requireEmailConfirmation, smtp } = settings
  const creation = usersVariant === 'user' ? '/user/' : '/signup/'
  const email = 'ada@example.org'
  const steps: [what: string, command: string][] = [['List all routes', `curl ${baseUrl}/api-root/`]]
  if (usersVariant !== 'off') {
    const body = `-d username=ada -d email=${email} -d password=${password} -d confirm_password=${password}`
    steps.push(['Sign up', `curl ${body} ${baseUrl}${creation}`])
  }
  if (usersVariant !== 'off') {
    if (!requireEmailConfirmation) {
      steps.push(['Get a link to confirm the address', `curl -d email=${email} ${baseUrl}${creation}v/`])
    }
    if (smtp === null) {
      steps.push(['Open the link in this email in a browser', mailbox(baseUrl)])
    }
  }
  steps.push(
    [
      'Log in, and keep the cookie',
      `curl -c cookies.txt -d username=ada -d password=${password} ${baseUrl}/login/`,
    ],
    ['See who is logged in', `curl -b cookies.txt ${baseUrl}/me/`],
    ['List your sessions', `curl -b cookies.txt ${baseUrl}/sessions/`],
    ['Change the profile', `curl -b cookies.txt -d display_name=Ada -X PATCH ${baseUrl}/me/`],
    [
      'Confirm the password for sensitive actions; the session continues with a new cookie',
      `curl -b cookies.txt -c cookies.txt -d password=${password} ${baseUrl}/confirm/`,
    ],
    [
      'Change the email address: a link is sent to the new one',
      `curl -b cookies.txt -d email=ada@example.net ${baseUrl}/change-email/`,
    ],
    ['Request a password reset', `curl -d email=${email} ${baseUrl}/forgot/`],
  )
  if (smtp === null) steps.push(['Open the link in this email to choose a new password', mailbox(baseUrl)])
  steps.push(['Log out', `curl -i -b cookies.txt -c cookies.txt -X POST ${baseUrl}/logout/`])
  return steps.map(([what, command]) => `# ${what}\n${command}`).join('\n\n')
}

function mailbox(baseUrl: string): string {
  return `curl ${baseUrl}/dev/mailbox.json`
}
