// A process that changes a SQLite file through its own connection. From another file it reads how many changes are
// allowed so far, and writes how many it has made. Arguments: driver module, database, that file, total changes.
import { openSync, readSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'

const [driver, url, words, steps] = process.argv.slice(2)
const module = createRequire(import.meta.url)(driver)
const Database = module.DatabaseSync ?? module
const database = new Database(url)
database.exec('PRAGMA busy_timeout = 5000')
database.exec('PRAGMA synchronous = NORMAL')

const changes = [
  'delete from accounts_sessions where id = ?',
  'update accounts_users set is_active = 0, version = version + 1 where id = ?',
  "update accounts_users set username = 'renamed', version = version + 1 where id = ?",
  'delete from accounts_users where id = ?',
].map((sql) => database.prepare(sql))

const file = openSync(words, 'r+')
const word = Buffer.alloc(4)
const turn = new Int32Array(new SharedArrayBuffer(4))
function allowed() {
  readSync(file, word, 0, 4, 4)
  return word.readUInt32LE()
}

for (let step = 0; step < Number(steps); step++) {
  while (allowed() <= step) Atomics.wait(turn, 0, 0, 1)
  changes[step % changes.length].run(`n${step}`)
  word.writeUInt32LE(step + 1)
  writeSync(file, word, 0, 4, 0)
}
database.close()
