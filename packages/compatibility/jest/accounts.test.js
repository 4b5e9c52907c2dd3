const Fastify = require('fastify')
const accounts = require('fastify-accounts').default

const password = 'seven-green-lanterns'
let app
beforeAll(async () => {
  app = Fastify()
  await app.register(accounts, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'http://localhost',
    users: true,
    mailer: { send: async () => {} },
  })
  app.get('/hello', { onRequest: app.accounts.requireUser }, async (request) => request.user.username)
})
afterAll(() => app.close())

test('by inject', async () => {
  const post = (url, payload) => app.inject({ method: 'POST', url, payload })
  await post('/signup/', { username: 'ada', password, confirm_password: password })
  const login = await post('/login/', { username: 'ada', password })
  expect(login.json()).toMatchObject({ username: 'ada' })
  const cookies = Object.fromEntries(login.cookies.map(({ name, value }) => [name, value]))
  expect((await app.inject({ url: '/hello', cookies })).body).toBe('ada')
  const wrong = await post('/login/', { username: 'ada', password: 'wrong' })
  expect(wrong.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
  expect((await app.inject('/hello')).json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
})

test('over a socket', async () => {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const body = new URLSearchParams({ username: 'ada', password })
  const login = await fetch(`${url}/login/`, { method: 'POST', body })
  const cookie = login.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  expect(await (await fetch(`${url}/hello`, { headers: { cookie } })).text()).toBe('ada')
})
