import closeWithGrace from 'close-with-grace'
import { buildApp } from './app.js'
import { readSettings, SettingError } from './config.js'
import { greeting } from './start-page.js'

/** Milliseconds for a graceful shutdown: to finish requests and emails in progress. */
const grace = 8_500

// The data here is private: hashes, addresses, sessions.
process.umask(0o077)

try {
  const settings = readSettings(process.env)
  const app = await buildApp(settings)
  closeWithGrace({ delay: grace, logger: app.log }, async ({ err }) => {
    if (err) app.log.error({ err }, 'shutting down after an error')
    await app.close()
  })
  await app.listen({ host: settings.host, port: settings.port }).catch((error: NodeJS.ErrnoException) => {
    const variable = error.code === 'EADDRINUSE' || error.code === 'EACCES' ? 'PORT' : 'HOST'
    throw new SettingError(variable, `cannot be listened on: ${error.message}`)
  })
  app.log.info(`Open ${settings.baseUrl}`)
  if (process.stdout.isTTY) process.stdout.write(greeting(settings))
} catch (error) {
  // One line, because the problem is a setting; a stack trace wouldn't help.
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`Not started: ${message.replaceAll(/\s+/g, ' ')}\n`)
  process.exit(1)
}
