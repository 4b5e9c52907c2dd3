import { PrismaLibSql } from '@prisma/adapter-libsql'
import { type Prisma, PrismaClient } from './generated/client.js'

/** Opens a file. */
export function openDatabase(url: string) {
  const adapter = new PrismaLibSql({ url, timeout: 200 })
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 3000, timeout: 4000 } })
  return {
    prisma,
    transaction: <Result>(run: (tx: Prisma.TransactionClient) => Promise<Result>) => prisma.$transaction(run),
  }
}

export type Database = ReturnType<typeof openDatabase>
