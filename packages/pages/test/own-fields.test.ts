import { goodPassword } from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'
import { formsOf } from './forms.js'
import { browser, fieldsOf, pagesApp, textOf } from './pages-app.js'

const fields = {
  type: 'object',
  properties: {
    plan: { title: 'Plan', anyOf: [{ const: 's', title: 'Small' }, { const: 'l' }, { type: 'null' }] },
    nickname: { type: 'string', title: 'Nickname', description: 'Shown to others.', maxLength: 10 },
    about_you: { type: ['string', 'null'], description: 'In a few lines.', maxLength: 2000 },
    size: { title: 'Size', description: 'Of a shirt.', enum: ['xs', 'xl'] },
    seats: { title: 'Seats', enum: [1, 5, null], default: 5 },
    height: { type: ['number', 'null'], title: 'Height', maximum: 3 },
    age: { type: 'integer', title: 'Age', default: 18 },
    website: { type: 'string', format: 'uri', title: 'Website' },
    news: { type: 'boolean', title: 'Send me news', description: 'Once a month.', default: true },
    rules: { type: 'boolean', const: true, title: 'I keep the rules' },
    is_tested: { type: 'boolean', title: 'Tested', readOnly: true },
    level: { title: 'Level', oneOf: [{ const: 1, title: 'Gold' }], readOnly: true },
    score: { type: 'number', readOnly: true },
    since: { type: 'string', title: 'Since', readOnly: true },
    source: { type: 'string', 'x-page': false },
    mixed: { anyOf: [{ const: 'a' }, { type: 'number' }] },
  },
  required: ['nickname', 'size', 'rules'],
} as const

const mandatory = { nickname: 'Addy', size: 'xl', rules: true }

async function adasProfile(values: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
  const german = { plan: { title: 'Tarif', enum: { s: 'Klein' } }, about_you: { description: 'Kurz.' } }
  const languages = { texts: { de: { own_fields: german } } }
  const world = await pagesApp({}, { users: { fields }, languages })
  const { users, app } = world
  const address = { email: 'ada@example.org', isVerified: true }
  const account = { username: 'ada', password: goodPassword, ...address }
  await app.accounts.createUser({ ...account, fields: { ...mandatory, ...values } })
  const ada = browser(app, headers)
  await ada.open('/login/?next=/account/profile/')
  const primary = /<button[^>]*data-kind="primary"[^>]*>([^<]*)</.exec(ada.page.html)?.[1] ?? ''
  await ada.submit(primary, { username: 'ada', password: goodPassword })
  return { ...world, ada, stored: async () => (await users.findByUsername('ada'))?.fields }
}

/** What the form of a page would send as it is, but for the hidden fields. */
const valuesOn = (page: Parameters<typeof formsOf>[0]): Record<string, string> => {
  const { by: _, ...values } = Object.fromEntries(fieldsOf(formsOf(page)[0]?.html ?? ''))
  return values
}

const labelsOn = ({ html }: { html: string }): string[] =>
  [...html.matchAll(/<label[^>]*>([\s\S]*?)<\/label>/g)].map(([, label = '']) => textOf(label))

it('are shown with what an account has, and saved as they are', async () => {
  const values = {
    ...{ about_you: '\nI count.\nAnd write.', plan: 's', seats: 1, height: 1.7, age: 36 },
    ...{ website: 'https://ada.example/', news: false, source: 'ad' },
    ...{ is_tested: false, level: 1, score: 0, since: '' },
  }
  const { ada, stored } = await adasProfile(values)
  const before = await stored()
  expect(valuesOn(ada.page)).toEqual({
    ...{ username: 'ada', nickname: 'Addy', about_you: '\nI count.\nAnd write.', plan: 's', size: 'xl' },
    ...{ seats: '1', height: '1.7', age: '36', website: 'https://ada.example/', rules: 'on' },
  })
  expect(labelsOn(ada.page)).toEqual([
    ...['Username', 'Plan', 'Nickname', 'About you', 'Size', 'Seats', 'Height', 'Age', 'Website'],
    ...['Send me news', 'I keep the rules'],
  ])
  expect(ada.page.html).toMatch(/name="height" type="text"[^>]* inputmode="decimal"/)
  expect(ada.page.html).toMatch(/name="age" type="text"[^>]* inputmode="numeric"/)
  expect(ada.page.html).toMatch(/name="website" type="url"/)
  // One of them must be chosen, so there is no empty one.
  expect(/<select id="size"[^>]* required><option value="(\w+)"/.exec(ada.page.html)?.[1]).toBe('xs')
  expect(ada.page.text).toMatch(/Tested No Level Gold Score 0 /)
  expect(ada.page.text).not.toContain('Since')
  await ada.submit('Save')
  expect(ada.page.text).toContain('Name and details ada , Small Edit')
  expect(await stored()).toEqual(before)
})

it('are empty for an account without values, and each may be given and cleared', async () => {
  const { ada, users, stored } = await adasProfile()
  const { id = '', version = 0 } = (await users.findByUsername('ada')) ?? {}
  await users.update(id, { fields: mandatory }, version)
  expect(valuesOn(await ada.reload())).toMatchObject({
    about_you: '',
    plan: '',
    seats: '',
    height: '',
    age: '',
  })
  expect(ada.page.text).not.toMatch(/Tested|Level|Score/)
  await ada.submit('Save', {
    ...{ about_you: 'One.\r\nTwo.', plan: 'l', seats: '5', height: '1,65', age: '36', news: 'on' },
  })
  const full = { about_you: 'One.\nTwo.', plan: 'l', seats: 5, height: 1.65, age: 36, news: true }
  expect(await stored()).toEqual({ ...mandatory, ...full })
  await ada.open('/account/profile/')
  await ada.submit('Save', { about_you: '', plan: '', seats: '', height: '', age: '' })
  expect(ada.page.url).toBe('/account/')
  // What takes null has it.
  const none = { about_you: null, plan: null, seats: null, height: null }
  expect(await stored()).toEqual({ ...mandatory, ...none, news: true })
  expect(valuesOn(await ada.open('/account/profile/'))).toMatchObject({ about_you: '', plan: '', seats: '' })
})

it('keep what was typed beside the fault of each, in whose place the hint was', async () => {
  const { ada, stored } = await adasProfile({ plan: 's' })
  const before = await stored()
  const typed = { nickname: '', size: '', plan: 'huge', height: 'tall', age: '1.5', website: 'not a URL' }
  const page = await ada.submit('Save', { ...typed, about_you: 'a <b>' })
  expect(page.status).toBe(400)
  const faulty = [...page.html.matchAll(/ aria-invalid="true"/g)].length
  const named = [...page.html.matchAll(/<li><a href="#([^"]+)">/g)].map(([, field]) => field)
  expect(named.toSorted()).toEqual(Object.keys(typed).toSorted())
  expect(faulty).toBe(named.length)
  for (const name of named) expect(page.html).toContain(`aria-describedby="${name}-fault"`)
  expect(page.html).toContain('aria-describedby="about_you-hint"')
  expect(page.text).not.toContain('Of a shirt.')
  expect(valuesOn(page)).toMatchObject({ ...typed, plan: '', about_you: 'a <b>' })
  for (const name of ['nickname', 'size'])
    expect(page.html).toContain(`id="${name}-fault">This field is required.`)
  expect(await stored()).toEqual(before)
})

it('begin with their defaults at sign-up, where those that may stay empty say so', async () => {
  const { app } = await adasProfile()
  const visitor = browser(app)
  const page = await visitor.open('/signup/')
  expect(valuesOn(page)).toMatchObject({ seats: '5', age: '18', news: 'on', height: '' })
  expect(labelsOn(page)).toEqual(
    expect.arrayContaining(['Nickname', 'Seats (optional)', 'Size', 'Send me news', 'I keep the rules']),
  )
  expect(page.html).toMatch(/name="rules"[^>]* required/)
  expect(page.html).not.toMatch(/name="news"[^>]* required/)
  expect(page.html).not.toMatch(/name="(is_tested|level|score|since|source|mixed)"/)
})

it('have the texts of each language, or else those of their schema', async () => {
  const { ada } = await adasProfile({ plan: 's', is_tested: true }, { 'accept-language': 'de' })
  expect(ada.page.text).toContain('Tarif Klein l')
  expect(ada.page.text).toContain('About you Kurz.')
  expect(ada.page.text).toContain('Tested Ja')
  expect((await ada.open('/account/')).text).toContain('ada , Klein Bearbeiten')
})

it('together have a limit, whose fault is of no one field', async () => {
  const area = { type: 'string', title: 'Notes', maxLength: 60_000 } as const
  const more = { type: 'object', properties: { notes: area, kept: { ...area, 'x-page': false } } } as const
  const { app, users } = await pagesApp({}, { users: { fields: more } })
  const kept = 'k'.repeat(10_000)
  await app.accounts.createUser({ username: 'ada', password: goodPassword, fields: { kept } })
  const ada = browser(app)
  await ada.open('/login/?next=/account/profile/')
  await ada.submit('Log in', { username: 'ada', password: goodPassword })
  const notes = 'n'.repeat(5000)
  await ada.submit('Save', { notes })
  // Long texts aren't in the row of the account page.
  expect(ada.page.text).toContain('Name and details ada Edit')
  await ada.open('/account/profile/')
  const refused = await ada.submit('Save', { notes: `${notes}${notes}` })
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('There is a problem Together, these fields may take up at most 16 KiB.')
  expect(refused.html).not.toContain('href="#"')
  expect(refused.html).toContain(`${notes}${notes}</textarea>`)
  expect((await users.findByUsername('ada'))?.fields).toEqual({ notes, kept })
  const large = await ada.submit('Save', { notes: kept.repeat(2) })
  expect(large.status).toBe(413)
  expect(large.text).toContain('What you typed is too long. Go back, and shorten it.')
  expect((await ada.follow('Try again')).heading).toBe('Profile')
})

it('without a title are named once at startup, unless the default language has one', async () => {
  const lines: string[] = []
  const text = { type: 'string' } as const
  const some = { ...text, title: 'Some' } as const
  const users = {
    fields: { type: 'object', properties: { some, about_you: text, motto: text, tags: { type: 'array' } } },
  } as const
  const signUp = {
    fields: { type: 'object', properties: { source: text, hidden: { ...text, 'x-page': false } } },
  } as const
  const own_fields = { motto: { title: 'Motto' } }
  const languages = {
    texts: { en: { own_fields }, de: { own_fields: { about_you: { title: 'Über Sie' } } } },
  }
  await pagesApp({}, { users, signUp, languages }, (app) => {
    app.log.warn = ((_: object, line: string) => lines.push(line)) as never
  })
  expect(lines.filter((line) => line.includes('without a title'))).toEqual([
    expect.stringMatching(/users\.fields has fields without a title, .*: about_you /),
    expect.stringMatching(/signUp\.fields has fields without a title, .*: source /),
  ])
})
