import assert from 'node:assert/strict'

/** Hashes at a real cost would time out on a busy machine. */
export const cheap = { logN: 10 }

/** Signs a user up, logs in, and asks who is logged in. */
export async function story(app) {
  const post = (url, payload) => app.inject({ method: 'POST', url, payload })
  const password = 'seven green lanterns'
  const created = await post('/signup/', { username: 'ada', password, confirm_password: password })
  assert.equal(created.statusCode, 201, created.body)
  const login = await post('/login/', { username: 'ada', password })
  assert.equal(login.statusCode, 200, login.body)
  const [cookie] = login.cookies
  const me = await app.inject({ url: '/me/', cookies: { [cookie.name]: cookie.value } })
  assert.equal(me.statusCode, 200, me.body)
  assert.equal(me.json().username, 'ada')
  await app.close()
}
