// A separate process that locks a SQLite file and never exits.
import SqliteFile from 'libsql'

const file = new SqliteFile(process.argv[2])
file.exec('begin immediate')
process.send('held')
// Keeps a reference: a garbage-collected database is closed, and its lock released.
setInterval(() => file.inTransaction, 1000)
