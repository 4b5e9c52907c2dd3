// Prints the first migration that `prisma migrate dev` writes for a schema.
// node migration.mjs postgres|sqlite URL SCHEMA
//
// The CLI downloads the engine of its migrations for the platform. This is the same one for WebAssembly, which can't be
// imported as it is. It is in a process of its own: it panics beside a client of Prisma.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'

const [dialect, url, file] = process.argv.slice(2)
const path = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
const glue = await import(path)
const wasm = readFileSync(path.replace(/js$/, 'wasm'))
const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': glue })
glue.__wbg_set_wasm(instance.exports)

const content = readFileSync(file, 'utf8')
const files = [{ path: 'schema.prisma', content }]
const factory =
  dialect === 'postgres'
    ? new PrismaPg({ connectionString: url }, { schema: 'public' })
    : new PrismaLibSql({ url })
const engine = await glue.SchemaEngine.new(
  { datamodels: [['schema.prisma', content]] },
  () => {},
  bindMigrationAwareSqlAdapterFactory(factory),
)
const { stdout } = await engine.diff({
  from: { tag: 'empty' },
  to: { tag: 'schemaDatamodel', files },
  script: true,
  exitCode: false,
  filters: { externalTables: [], externalEnums: [] },
})
process.stdout.write(stdout ?? '')
process.exit()
