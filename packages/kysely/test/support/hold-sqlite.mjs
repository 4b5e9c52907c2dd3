// A process of its own that writes to a SQLite file, and does not come to an end.
import SqliteFile from 'libsql'

const file = new SqliteFile(process.argv[2])
file.exec('begin immediate')
process.send('held')
// Whatever nobody refers to is closed when it is collected, and its lock with it.
setInterval(() => file.inTransaction, 1000)
