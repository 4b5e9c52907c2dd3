import { expect, test } from 'vitest'
import { failureOf } from '../src/base/errors.js'

/** As node:sqlite throws them: one code for all, beside SQLite's number. */
const nodeSqlite = (errcode: unknown) => ({ code: 'ERR_SQLITE_ERROR', errcode })

test.each<[object | null, ReturnType<typeof failureOf>]>([
  [nodeSqlite(1555), 'duplicate'],
  [nodeSqlite(2067), 'duplicate'],
  [nodeSqlite(5), 'locked'],
  [nodeSqlite(261), 'locked'],
  // SQLITE_CONSTRAINT_NOTNULL, _TRIGGER
  [nodeSqlite(1299), 'refused'],
  [nodeSqlite(1811), 'refused'],
  // SQLITE_IOERR_WRITE
  [nodeSqlite(778), 'broken'],
  [nodeSqlite(undefined), 'broken'],
  [{ code: '0A000', routine: 'RevalidateCachedQuery' }, 'unprepared'],
  [{ code: '0A000' }, 'broken'],
  [{ code: 'P9999', routine: 'exec_stmt_raise' }, 'refused'],
  [{ code: 'ER_SIGNAL_EXCEPTION', sqlState: '45000' }, 'refused'],
  [{}, 'broken'],
])('an error with %j is %s', (properties, failure) => {
  expect(failureOf(Object.assign(new Error('secret'), properties))).toBe(failure)
})

test.each([null, undefined, 'duplicate', { code: '23505' }])('%j, which is no error, is broken', (thrown) => {
  expect(failureOf(thrown)).toBe('broken')
})
