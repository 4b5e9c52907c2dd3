import { makeProject, runCli } from '@fastify-accounts/test-support/cli'
import { expect, test } from 'vitest'

/** An app with a feature whose store is on a table, and has a problem. */
const config = (more: string) => `
import { createMemoryOrganizationStore, organizations } from '@fastify-accounts/organizations'
import { createMemoryUserStore, invitations } from 'fastify-accounts'
const column = { name: 'id', field: 'id', type: 'text' }
const store = {
  ...createMemoryOrganizationStore(),
  tables: () => [{ name: 'accounts_organizations', holds: 'organizations', columns: [column], primaryKey: ['id'], indexes: [] }],
  inspect: async () => ['the table accounts_organizations lacks the column slug'],
  ${more}
}
export const options = {
  secret: 'a test needs no better secret than this one', baseUrl: 'http://localhost', users: true,
  userStore: createMemoryUserStore(), features: [invitations(), organizations({ store })],
}
`

test('doctor asks the stores of features what is wrong, and whether they respond', async () => {
  const findingsOf = async (more: string) => {
    const folder = makeProject({ 'accounts.config.mjs': config(more) })
    const { stdout } = await runCli(folder, ['doctor', '--json'])
    const { findings } = JSON.parse(stdout) as { findings: { what: string; state: string; detail: string }[] }
    return findings.filter(({ what }) => what.includes('organization'))
  }
  expect(await findingsOf('')).toEqual(
    expect.arrayContaining([
      {
        what: 'organization store',
        state: 'warning',
        detail: 'the table accounts_organizations lacks the column slug',
      },
      { what: 'organizations', state: 'ok', detail: 'responds' },
    ]),
  )
  expect(await findingsOf("find: async () => { throw new Error('down') },")).toEqual(
    expect.arrayContaining([expect.objectContaining({ what: 'organizations', state: 'failed' })]),
  )
})

test('schema prints the tables of features', async () => {
  const folder = makeProject({ 'accounts.config.mjs': config('') })
  const { code, stdout, stderr } = await runCli(folder, ['schema', 'sql', '--dialect', 'postgres'])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('accounts_organizations')
})
