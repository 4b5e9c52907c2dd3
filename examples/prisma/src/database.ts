import { PrismaPg } from '@prisma/adapter-pg'
import { type Prisma, PrismaClient } from './generated/client.js'

/** Opens PostgreSQL. Its time limits are below the plugin's `adapterTimeout`, so a slow server is a 503 and nothing more. */
export function openDatabase(url: string) {
  const adapter = new PrismaPg({
    connectionString: url,
    connectionTimeoutMillis: 3000,
    query_timeout: 4000,
    options: '-c statement_timeout=3500 -c lock_timeout=3000',
  })
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 3000, timeout: 4000 } })
  return {
    prisma,
    transaction: <Result>(run: (tx: Prisma.TransactionClient) => Promise<Result>) => prisma.$transaction(run),
  }
}

export type Database = ReturnType<typeof openDatabase>
