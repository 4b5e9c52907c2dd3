import { execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isChromiumHere, launchChromium } from '@fastify-accounts/test-support/chromium'
import { openDoor } from '@fastify-accounts/test-support/door'
import { onSomePort } from '@fastify-accounts/test-support/some-port'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, { createScryptHasher } from 'fastify-accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInstalled } from './support/installed.js'

const password = 'seven green lanterns'

/** The apps of the guides: how to build and serve each. */
const frontEnds = [
  {
    guide: 'react.md',
    folder: 'react',
    needs: 'react',
    builds: [['typescript/bin/tsc'], ['vite/bin/vite.js', 'build']],
    serves: (port: number) => [
      'vite/bin/vite.js',
      '--host',
      'localhost',
      '--port',
      `${port}`,
      '--strictPort',
    ],
  },
  {
    guide: 'vue.md',
    folder: 'vue',
    needs: 'vue',
    builds: [['vue-tsc/bin/vue-tsc.js'], ['vite/bin/vite.js', 'build']],
    serves: (port: number) => [
      'vite/bin/vite.js',
      '--host',
      'localhost',
      '--port',
      `${port}`,
      '--strictPort',
    ],
  },
  {
    guide: 'nextjs.md',
    folder: 'nextjs',
    needs: 'next',
    builds: [['next/dist/bin/next', 'build']],
    serves: (port: number) => ['next/dist/bin/next', 'start', '--hostname', 'localhost', '--port', `${port}`],
  },
].map((each) => ({ ...each, folder: fileURLToPath(new URL(`../${each.folder}`, import.meta.url)) }))

for (const { guide, folder, needs, builds, serves } of frontEnds) {
  const isHere = isInstalled(folder, needs) && isChromiumHere()

  describe.skipIf(!isHere)(`docs/guides/${guide}`, () => {
    let service: FastifyInstance
    let front: string
    let end = async () => {}

    beforeAll(async () => {
      const door = await openDoor()
      front = `http://localhost:${door.port}`
      service = Fastify({ trustProxy: '127.0.0.1' })
      await service.register(accounts, {
        secret: 'a test needs no better secret than this one',
        baseUrl: front,
        prefix: '/accounts',
        users: true,
        passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
        mailer: { send: async () => {} },
      })
      const address = await service.listen({ port: 0, host: '127.0.0.1' })
      await service.accounts.createUser({ username: 'ada', password })
      const env = {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ACCOUNTS_URL: address,
        NEXT_TELEMETRY_DISABLED: '1',
      }
      const script = (name = '') => join(folder, 'node_modules', name)
      for (const [name, ...args] of builds)
        execFileSync(process.execPath, [script(name), ...args], { cwd: folder, env, stdio: 'pipe' })
      await onSomePort(async (port) => {
        const [name, ...args] = serves(port)
        const server = spawn(process.execPath, [script(name), ...args], { cwd: folder, env })
        let said = ''
        for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (said += data))
        end = () => {
          server.kill()
          return door.close()
        }
        door.leadTo(port)
        const isThere = async () => (await fetch(`${front}/accounts/api-root/`)).status === 200
        while (!(await isThere().catch(() => false))) {
          if (server.exitCode !== null) throw new Error(`${name} ended: ${said}`)
          await sleep(200)
        }
      })
    })

    afterAll(async () => {
      await end()
      await service?.close()
    })

    it('shows an error, logs in, stays logged in after a reload, and logs out', async () => {
      const browser = await launchChromium()
      try {
        const page = await browser.newPage()
        await page.goto(front)
        await page.fill('[name=username]', 'ada')
        await page.fill('[name=password]', 'a wrong guess')
        await page.click('button[type=submit]')
        await page.locator('[role=alert]:has-text("Incorrect login details")').waitFor()
        await page.fill('[name=password]', password)
        await page.click('button[type=submit]')
        await page.getByText('Hello ada').waitFor()
        await page.reload()
        await page.getByText('Hello ada').waitFor()
        await page.getByRole('button', { name: 'Log out' }).click()
        await page.locator('[name=password]').waitFor()
        expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['session-device'])
      } finally {
        await browser.close()
      }
    })

    it("passes on the browser's headers, so cross-site requests are rejected", async () => {
      const response = await fetch(`${front}/accounts/login/`, {
        method: 'POST',
        headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'ada', password }),
      })
      expect([response.status, await response.json()]).toMatchObject([403, { code: 'ACCOUNTS_CROSS_SITE' }])
    })
  })
}
