/** What all tables have in common: their columns are named like the properties of a row. */
function table(name) {
  const where = (expected) =>
    Object.entries(expected)
      .map(([column, value]) => `${column} ${value === null ? 'IS NULL' : '= ?'}`)
      .join(' AND ')
  const given = (expected) => Object.values(expected).filter((value) => value !== null)
  return {
    insert: (tx, row) => {
      const marks = Object.keys(row).map(() => '?')
      return tx.run(`INSERT INTO ${name} (${Object.keys(row)}) VALUES (${marks})`, ...Object.values(row))
    },
    compareAndSwap: (tx, expected, changes) => {
      const set = Object.keys(changes).map((column) => `${column} = ?`)
      const sql = `UPDATE ${name} SET ${set} WHERE ${where(expected)}`
      return tx.run(sql, ...Object.values(changes), ...given(expected))
    },
    remove: (tx, expected) => tx.run(`DELETE FROM ${name} WHERE ${where(expected)}`, ...given(expected)),
  }
}

/** @returns {import('@fastify-accounts/table-stores').UserTable<any>} */
export function userTable(db) {
  const { insert, compareAndSwap, remove } = table('users')
  return {
    transaction: db.transaction,
    find: async (by, key, on = db) => {
      const isIt =
        by === 'identityKey' ? 'id = (SELECT userId FROM identities WHERE identityKey = ?)' : `${by} = ?`
      return (await on.rows(`SELECT * FROM users WHERE ${isIt}`, key))[0]
    },
    insert,
    compareAndSwap,
    remove: (tx, id) => remove(tx, { id }),
    replaceIdentities: async (tx, userId, keys) => {
      await tx.run('DELETE FROM identities WHERE userId = ?', userId)
      for (const identityKey of keys) await table('identities').insert(tx, { identityKey, userId })
    },
    page: ({ limit, after, where = {}, order }) => {
      const [than, direction] = order?.descending ? ['<', 'DESC'] : ['>', 'ASC']
      const isUsed = where.isUsed === undefined ? null : Number(where.isUsed)
      const sql = `SELECT * FROM users
        WHERE kind = coalesce(?, kind) AND (? IS NULL OR (isVerified = 1 OR lastLoginAt IS NOT NULL) = ?)
          ${after ? `AND (createdAt, id) ${than} (?, ?)` : ''}
        ORDER BY createdAt ${direction}, id ${direction} LIMIT ?`
      return db.rows(
        sql,
        where.kind ?? null,
        isUsed,
        isUsed,
        ...(after ? [after.createdAt, after.id] : []),
        limit,
      )
    },
    listsBy: ['createdAt'],
    outbox: outboxTable(db),
    close: db.close,
  }
}

/** @returns {import('@fastify-accounts/table-stores').OutboxTable<any>} */
function outboxTable(db) {
  const { insert, compareAndSwap, remove } = table('outbox')
  const ofRealm = 'realm = coalesce(?, realm)'
  return {
    insert: async (tx, rows) => {
      for (const row of rows) await insert(tx, row)
    },
    find: async (id) => (await db.rows('SELECT * FROM outbox WHERE id = ?', id))[0],
    due: ({ realm = null, by, limit }) => {
      const sql = `SELECT * FROM outbox WHERE ${ofRealm} AND dueAt <= ? ORDER BY dueAt, id LIMIT ?`
      return db.rows(sql, realm, by, limit)
    },
    dead: ({ after = '', limit }) =>
      db.rows('SELECT * FROM outbox WHERE dueAt IS NULL AND id > ? ORDER BY id LIMIT ?', after, limit),
    count: async ({ realm = null, isDead }) => {
      const sql = `SELECT count(*) AS count FROM outbox WHERE ${ofRealm} AND (dueAt IS NULL) = ?`
      return (await db.rows(sql, realm, isDead))[0].count
    },
    compareAndSwap,
    remove,
  }
}

/** @returns {import('@fastify-accounts/table-stores').SessionTable<any>} */
export function sessionTable(db) {
  const { insert, compareAndSwap, remove } = table('sessions')
  return {
    insert,
    compareAndSwap,
    remove: (tx, id) => remove(tx, { id }),
    transaction: db.transaction,
    find: async (id, on = db) => (await on.rows('SELECT * FROM sessions WHERE id = ?', id))[0],
    listByUser: (userId) => db.rows('SELECT * FROM sessions WHERE userId = ?', userId),
    removeByUser: (tx, userId, keptId) =>
      tx.run('DELETE FROM sessions WHERE userId = ? AND id <> ?', userId, keptId),
    removeExpired: (tx, before, limit) => {
      const some = 'SELECT id FROM sessions WHERE expiresAt < ? LIMIT ?'
      return tx.run(`DELETE FROM sessions WHERE id IN (${some})`, before, limit)
    },
  }
}
