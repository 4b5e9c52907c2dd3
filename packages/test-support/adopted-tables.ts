import { type Engine, readTable } from '@fastify-accounts/kysely'
import { adopt, urlOf } from './adopt.js'
import { makeProject, runCli } from './cli.js'
import {
  connect,
  type DriverName,
  driversHere,
  makeDatabase,
  runSql,
  type TestDatabase,
} from './databases.js'

/** A table of users as apps have them before they adopt it, and what their ORM says of it. */
export interface AdoptedTable {
  title: string
  engine: Engine
  table: string
  sql: readonly string[]
  /** Further arguments of `adopt`. */
  args: readonly string[]
  /** Its names and functions from Drizzle's module, columns, and keys, and further tables. */
  drizzle: { uses: string; make: string; columns: string; keys: string; others: string }
  /** Lines of its model, and further models. */
  prisma: { lines: string; others: string }
}

/** Of bcrypt: a column is one of hashes if it holds some. */
const hash = '$2b$04$N1HBPz1.M9kqGth3cCXtkus43cQa0icUmjsPgH674MGZZ5gLra.iG'

/** With columns of the app's own that no statement of ours may touch. */
export const adoptedTables: readonly AdoptedTable[] = [
  {
    title: 'members of a club, on PostgreSQL',
    engine: 'postgres',
    table: 'members',
    sql: [
      `create table members (
        id uuid primary key default gen_random_uuid(),
        email varchar(255) not null unique,
        hash varchar(100),
        full_name varchar(120) not null default '',
        card_number varchar(40) unique,
        left_at timestamptz,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now())`,
      `create table visits (id serial primary key, member_id uuid not null
        constraint visits_member_id_members_id_fk references members (id) on delete cascade)`,
      `insert into members (email, hash, full_name, card_number) values ('ada@example.org', '${hash}', 'Ada', '7')`,
    ],
    args: ['--column', 'password_hash=hash'],
    drizzle: {
      uses: 'pgTable, serial, timestamp, unique, uuid, varchar',
      make: 'pgTable',
      columns: `fullName: varchar('full_name', { length: 120 }).notNull().default(''),
        cardNumber: varchar('card_number', { length: 40 }),
        leftAt: timestamp('left_at', { withTimezone: true }),
        updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),`,
      keys: `unique('members_card_number_key').on(table.cardNumber),`,
      others: `export const visits = pgTable('visits', {
        id: serial().primaryKey(),
        memberId: uuid('member_id').notNull().references(() => model.id, { onDelete: 'cascade' }),
      })`,
    },
    prisma: {
      lines: `fullName String @default("") @map("full_name") @db.VarChar(120)
        cardNumber String? @unique @map("card_number") @db.VarChar(40)
        leftAt DateTime? @map("left_at") @db.Timestamptz(6)
        updatedAt DateTime @default(now()) @map("updated_at") @db.Timestamptz(6)
        visits Visit[]`,
      others: `model Visit {
        id Int @id @default(autoincrement())
        memberId String @map("member_id") @db.Uuid
        member Model @relation(fields: [memberId], references: [id], onDelete: Cascade, onUpdate: NoAction, map: "visits_member_id_members_id_fk")
        @@map("visits")
      }`,
    },
  },
  {
    title: 'clients with short columns and a role, on PostgreSQL',
    engine: 'postgres',
    table: 'clients',
    sql: [
      `create table clients (
        id uuid primary key default gen_random_uuid(),
        email varchar(200),
        encrypted_password varchar(60),
        company text,
        role varchar(20) not null default 'member',
        last_sign_in_at timestamp without time zone,
        blocked boolean not null default false,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null)`,
      `create unique index clients_email on clients (email)`,
      `create index clients_role on clients (role) where not blocked`,
      `insert into clients (email, encrypted_password, role, updated_at)
        values ('ben@example.org', '${hash}', 'admin', now())`,
    ],
    args: ['--column', 'last_login_at=last_sign_in_at'],
    drizzle: {
      uses: 'index, pgTable, text, timestamp, uniqueIndex, varchar',
      make: 'pgTable',
      columns: `company: text(),
        role: varchar({ length: 20 }).notNull().default('member'),
        updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),`,
      keys: `uniqueIndex('clients_email').on(table.email),
        index('clients_role').on(table.role).where(sql\`(NOT blocked)\`),`,
      others: '',
    },
    prisma: {
      lines: `company String?
        role String @default("member") @db.VarChar(20)
        updatedAt DateTime @map("updated_at") @db.Timestamptz(6)
`,
      others: '',
    },
  },
  {
    title: 'staff under other names, on PostgreSQL',
    engine: 'postgres',
    table: 'staff',
    sql: [
      `create table staff (
        "staffId" uuid primary key default gen_random_uuid(),
        login varchar(150) not null,
        mail text not null,
        pass_word text not null default '!',
        enabled boolean not null default true,
        salary integer not null default 0,
        "joinedOn" timestamptz not null default CURRENT_TIMESTAMP,
        constraint one_mail unique (mail))`,
      `insert into staff (login, mail, salary) values ('cleo', 'cleo@example.org', 9)`,
    ],
    args: [
      ...['--column', 'id=staffId', '--column', 'password_hash=pass_word', '--column', 'created_at=joinedOn'],
      ...['--column', 'username=login', '--column', 'email=mail'],
    ],
    drizzle: {
      uses: 'integer, pgTable',
      make: 'pgTable',
      columns: `salary: integer().notNull().default(0),`,
      keys: '',
      others: '',
    },
    prisma: { lines: `salary Int @default(0)`, others: '' },
  },
  {
    title: 'members on MariaDB',
    engine: 'mysql',
    table: 'members',
    sql: [
      `create table members (
        id char(36) primary key, email varchar(255) not null, password varchar(255),
        full_name varchar(100) not null default 'Nobody',
        created_at datetime not null default current_timestamp,
        last_login timestamp null, blocked boolean not null default false, key by_name (full_name)) default charset utf8mb4`,
      `insert into members (id, email, password)
        values ('01234567-89ab-4cde-8f01-23456789abcd', 'ada@example.org', '${hash}')`,
    ],
    args: [],
    drizzle: {
      uses: 'index, mysqlTable, varchar',
      make: 'mysqlTable',
      columns: `fullName: varchar('full_name', { length: 100 }).notNull().default('Nobody'),`,
      keys: `index('by_name').on(table.fullName),`,
      others: '',
    },
    prisma: { lines: '', others: '' },
  },
  {
    title: 'members in SQLite',
    engine: 'sqlite',
    table: 'members',
    sql: [
      `create table members (id text primary key not null, email text, password text, full_name text not null default 'Nobody',
        created_at text not null default (current_timestamp), blocked integer not null default 0)`,
      `create unique index by_email on members (email)`,
      `insert into members (id, email, password) values ('m1', 'ada@example.org', '${hash}')`,
    ],
    args: [],
    drizzle: {
      uses: 'sqliteTable, text',
      make: 'sqliteTable',
      columns: `fullName: text('full_name').notNull().default('Nobody'),`,
      keys: ``,
      others: '',
    },
    prisma: {
      lines: `fullName String @default("Nobody") @map("full_name")`,
      others: '',
    },
  },
]

/** Those of the databases that are here, each with a driver. */
export async function adoptedTablesHere(): Promise<(AdoptedTable & { driver: DriverName })[]> {
  const drivers = await driversHere(['pg', 'mysql2', 'libsql'])
  return adoptedTables.flatMap((each) => {
    const driver = drivers.find(({ engine }) => engine === each.engine)
    return driver === undefined ? [] : [{ ...each, driver: driver.name }]
  })
}

const config = (naming: object) => `
import { createRequire } from 'node:module'
import { createKyselyUserStore, openDatabase } from '@fastify-accounts/kysely'
const db = openDatabase(process.env.DATABASE_URL, createRequire(import.meta.url), { create: false })
export const options = { userStore: createKyselyUserStore({ db, ...${JSON.stringify(naming)} }) }
export const close = () => db.destroy()
`

/**
 * Makes the table, and adopts it. Gives what `adopt` printed before its statements ran, and what `schema` prints then.
 * @param as `prisma` or `drizzle`
 */
export async function adopted(
  { table, args, sql, driver }: AdoptedTable & { driver: DriverName },
  as: string,
): Promise<{ database: TestDatabase; before: string; after: string }> {
  const database = await makeDatabase(driver)
  await runSql(database.place, ...sql)
  const run = (...more: string[]) => adopt(database.place, '--table', table, ...args, ...more)
  const { data } = await run('--json')
  const { stdout: before } = await run('--as', as)
  await runSql(database.place, ...data.statements)
  const project = makeProject({ 'accounts.config.js': config(data.naming) })
  const env = { DATABASE_URL: urlOf(database.place) }
  const { stdout: after, stderr } = await runCli(project, ['schema', as], { env })
  if (stderr !== '') throw new Error(stderr)
  return { database, before, after }
}

/** A table as an ORM compares it: but for how texts are compared, which neither says. Sorted. */
export async function shapeOf({ place }: TestDatabase, table: string) {
  const db = await connect(place)
  try {
    const live = await readTable(db, table)
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    return {
      columns: live?.columns
        .map(({ name, type, isNullable, default: value }) => {
          const isNow = value !== null && /^(?:now\(\)|current_timestamp)$/i.test(value)
          // The same to the engine.
          const same = type.replace(/^timestamp with/, 'timestamp(6) with')
          const whole = place.driver === 'libsql' ? same.replace(/^smallint$/, 'integer') : same
          return { name, type: whole, isNullable, default: isNow ? 'now()' : value }
        })
        .sort(byName),
      indexes: live?.indexes.map(({ isConstraint, ...index }) => index).sort(byName),
    }
  } finally {
    await db.destroy()
  }
}
