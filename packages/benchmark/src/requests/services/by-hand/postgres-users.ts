import type pg from 'pg'
import { numbered } from '../../../stores/sql.js'
import { createUsers, createUsersIndex, statements, type User, type Users, valuesOf } from './users.js'

/** Named statements, which a connection prepares once. */
export async function createPostgresUsers(pool: pg.Pool): Promise<Users> {
  await pool.query(createUsers)
  await pool.query(createUsersIndex)
  const ask = (name: keyof typeof statements) => {
    const text = numbered(statements[name])
    return (values: unknown[]) => pool.query<User>({ name, text, values })
  }
  const [byId, byUsername, byEmail, page] = [ask('byId'), ask('byUsername'), ask('byEmail'), ask('page')]
  const [insert, noteLogin, setPassword] = [ask('insert'), ask('noteLogin'), ask('setPassword')]
  return {
    byId: async (id) => (await byId([id])).rows[0],
    byUsername: async (username) => (await byUsername([username])).rows[0],
    byEmail: async (email) => (await byEmail([email])).rows[0],
    insert: async (user) => (await insert(valuesOf(user))).rowCount === 1,
    noteLogin: (id, at) => noteLogin([at, id]),
    setPassword: (id, hash) => setPassword([hash, id]),
    page: async (limit, { createdAt, id }) => (await page([createdAt, id, limit])).rows,
  }
}
