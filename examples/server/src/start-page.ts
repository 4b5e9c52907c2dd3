import type { FastifyInstance } from 'fastify'
import type { Settings } from './config.js'
import { nameOf } from './database.js'
import { html, page } from './page.js'

/** Puts the start page at /: what is running, and commands to try it with. A client other than a browser gets it as text. */
export function mountStartPage(app: FastifyInstance, settings: Settings): void {
  app.get('/', (request, reply) => {
    if (request.headers.accept?.includes('text/html')) {
      return page(reply, 'fastify-accounts', startPageHtml(settings))
    }
    reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store')
    return `${facts(settings).join('\n')}\n\n${commands(settings)}\n`
  })
}

function startPageHtml(settings: Settings): string {
  const items = facts(settings).map((fact) => html`<li>${fact}</li>`)
  const mailbox = settings.smtp === null ? '<p><a href="/dev/mailbox">Open the mailbox</a></p>' : ''
  return `<ul>${items.join('')}</ul>${mailbox}<h2>Try it</h2>${html`<pre>${commands(settings)}</pre>`}`
}

function facts({ baseUrl, database, redisUrl, smtp, ...settings }: Settings): string[] {
  const place = `${engineNames[database.engine]}, ${nameOf(database)}`
  const creation = {
    user: 'Users are created at /user/.',
    signup: 'Users are created at /signup/.',
    both: 'Users are created at /user/ and at /signup/.',
    off: 'The users routes are off: nobody can sign up.',
  }[settings.usersVariant]
  const confirmation = settings.requireEmailConfirmation ? ' The e-mail address must be confirmed first.' : ''
  return [
    `The example server of fastify-accounts, at ${baseUrl}.`,
    redisUrl === null
      ? `Users and sessions are in ${place}.`
      : `Users are in ${place}. Sessions and counters are in Redis, ${new URL(redisUrl).host}.`,
    smtp === null ? `Mails are kept at ${baseUrl}/dev/mailbox.` : 'Mails go out over SMTP.',
    `${creation}${settings.usersVariant === 'off' ? '' : confirmation}`,
  ]
}

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL' }

const password = 'seven-green-lanterns'

/** Commands for a shell, one step a paragraph; pasted in this order they work. */
function commands(settings: Settings): string {
  const { baseUrl, usersVariant, requireEmailConfirmation, smtp } = settings
  const creation = usersVariant === 'user' ? '/user/' : '/signup/'
  const email = 'ada@example.org'
  const steps: [what: string, command: string][] = [['Every route there is', `curl ${baseUrl}/api-root/`]]
  if (usersVariant !== 'off') {
    const body = `-d username=ada -d email=${email} -d password=${password} -d confirm_password=${password}`
    steps.push(['Sign up', `curl ${body} ${baseUrl}${creation}`])
  }
  if (usersVariant !== 'off' && requireEmailConfirmation && smtp === null) {
    steps.push(['The link that confirms the address is in this mail: open it in a browser', mailbox(baseUrl)])
  }
  steps.push(
    [
      'Log in, and keep the cookie',
      `curl -c cookies.txt -d username=ada -d password=${password} ${baseUrl}/login/`,
    ],
    ['Who is logged in', `curl -b cookies.txt ${baseUrl}/me/`],
    ['Forgot the password', `curl -d email=${email} ${baseUrl}/forgot/`],
  )
  if (smtp === null)
    steps.push(['The link to a new one is in this mail: open it in a browser', mailbox(baseUrl)])
  steps.push(['Log out', `curl -i -b cookies.txt -c cookies.txt -X POST ${baseUrl}/logout/`])
  return steps.map(([what, command]) => `# ${what}\n${command}`).join('\n\n')
}

function mailbox(baseUrl: string): string {
  return `curl ${baseUrl}/dev/mailbox.json`
}
