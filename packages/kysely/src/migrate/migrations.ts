import {
  type AlterTableBuilder,
  type ColumnDefinitionBuilder,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  type RootOperationNode,
  SchemableIdentifierNode,
  type SchemaModule,
  TableNode,
} from 'kysely'
import type { Engine } from '../base/engine.js'
import type { SessionsTable, Tables, UsersTable } from '../base/schema.js'
import { traits } from '../base/traits.js'
import { indexName as index, type Names } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import { moveNotes } from './move-notes.js'
import type { Statement } from './statement.js'

/**
 * The suffix of a step that older versions of this package cannot work with: only a major version may have one. An
 * older version works with any other step.
 */
export const breaking = '_breaking'

/** One step of the schema. Released steps never change: new ones are added after them. */
export interface Step {
  /** The name recorded once it has run; steps run in the order of their names. */
  name: string
  /** What it creates tables for, if not for the first ones. */
  makes?: 'outbox' | 'identities' | 'invitations' | 'activity' | 'organizations'
  /** What it adds to existing tables that the stores use. */
  adds?: { users?: readonly (keyof UsersTable)[]; sessions?: readonly (keyof SessionsTable)[] }
  /** Indexes of a table that exists are steps of their own: PostgreSQL builds them outside a transaction. */
  statements(db: Kysely<Tables>, names: Names, engine: Engine): Statement[]
}

/**
 * The schema, step by step.
 *
 * One statement creates a table with all its indexes, so it exists whole or not at all, even on MySQL, which cannot
 * roll DDL back. Indexes are written as constraints because MySQL lacks CREATE INDEX IF NOT EXISTS; those that end
 * in `id` are unique by nature.
 */
export const steps: Step[] = [
  {
    name: '0001_users_and_sessions',
    statements({ schema }, { tables: { users, sessions }, columns }, engine) {
      const { id, key, text, longText, tableEnd } = traits[engine]
      return [
        withColumns(schema, columns.users)
          .createTable(users)
          .ifNotExists()
          .addColumn('id', id, (column) => column.primaryKey().notNull())
          .addColumn('username', text, (column) => column.notNull())
          .addColumn('username_key', key, (column) => column.notNull())
          .addColumn('email', text)
          .addColumn('email_key', key)
          .addColumn('password_hash', text, (column) => column.notNull())
          .addColumn('is_verified', 'smallint', (column) => column.notNull())
          .addColumn('is_staff', 'smallint', (column) => column.notNull())
          .addColumn('is_active', 'smallint', (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('last_login_at', 'bigint')
          .addColumn('session_epoch', 'bigint', (column) => column.notNull())
          .addColumn('reset_epoch', 'bigint', (column) => column.notNull())
          .addColumn('verify_epoch', 'bigint', (column) => column.notNull())
          .addColumn('version', 'bigint', (column) => column.notNull())
          .addColumn('fields', longText, (column) => column.notNull())
          .addUniqueConstraint(index(users, 'username_key'), ['username_key'])
          .addUniqueConstraint(index(users, 'email_key'), ['email_key'])
          .addUniqueConstraint(index(users, 'created_at'), ['created_at', 'id'])
          .modifyEnd(tableEnd),
        withColumns(schema, columns.sessions)
          .createTable(sessions)
          .ifNotExists()
          .addColumn('id', id, (column) => column.primaryKey().notNull())
          .addColumn('user_id', id, (column) => column.notNull())
          .addColumn('epoch', 'bigint', (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
          .addColumn('expires_at', 'bigint', (column) => column.notNull())
          .addUniqueConstraint(index(sessions, 'user_id'), ['user_id', 'created_at', 'id'])
          .addUniqueConstraint(index(sessions, 'expires_at'), ['expires_at', 'id'])
          .modifyEnd(tableEnd),
      ]
    },
  },
  {
    name: '0002_session_details',
    adds: { sessions: ['details'] },
    statements: ({ schema }, { tables, columns }, engine) => [
      withColumns(schema, columns.sessions)
        .alterTable(tables.sessions)
        .addColumn('details', traits[engine].longText, ifNotThere(engine)),
    ],
  },
  {
    name: '0003_email_changes',
    adds: { users: ['email_changed_at'] },
    statements: ({ schema }, { tables, columns }, engine) => [
      withColumns(schema, columns.users)
        .alterTable(tables.users)
        .addColumn('email_changed_at', 'bigint', ifNotThere(engine)),
    ],
  },
  {
    name: '0004_outbox',
    makes: 'outbox',
    statements({ schema }, { tables: { outbox }, columns }, engine) {
      const { id, longText, tableEnd } = traits[engine]
      return [
        withColumns(schema, columns.outbox)
          .createTable(outbox)
          .ifNotExists()
          .addColumn('id', id, (column) => column.primaryKey().notNull())
          .addColumn('realm', id, (column) => column.notNull())
          .addColumn('mail', longText, (column) => column.notNull())
          .addColumn('posted_at', 'bigint', (column) => column.notNull())
          .addColumn('due_at', 'bigint')
          .addColumn('attempts', 'bigint', (column) => column.notNull())
          .addColumn('claim', id)
          .addColumn('error', longText)
          .addUniqueConstraint(index(outbox, 'due_at'), ['realm', 'due_at', 'id'])
          .modifyEnd(tableEnd),
      ]
    },
  },
  {
    name: '0005_session_methods',
    adds: { sessions: ['methods', 'confirmed_at'] },
    statements: ({ schema }, { tables, columns }, engine) => {
      const sessions = () => withColumns(schema, columns.sessions).alterTable(tables.sessions)
      return [
        sessions().addColumn('methods', traits[engine].longText, ifNotThere(engine)),
        sessions().addColumn('confirmed_at', 'bigint', ifNotThere(engine)),
      ]
    },
  },
  {
    name: '0006_credentials',
    adds: { users: ['factors', 'credentials', 'identity_keys'] },
    makes: 'identities',
    statements: ({ schema }, { tables, columns }, engine) => {
      const { id, key, longText, tableEnd } = traits[engine]
      const add = (name: keyof UsersTable) =>
        withColumns(schema, columns.users)
          .alterTable(tables.users)
          .addColumn(name, longText, ifNotThere(engine))
      return [
        add('factors'),
        add('credentials'),
        add('identity_keys'),
        withColumns(schema, columns.identities)
          .createTable(tables.identities)
          .ifNotExists()
          .addColumn('identity_key', key, (column) => column.primaryKey().notNull())
          .addColumn('user_id', id, (column) => column.notNull())
          .addUniqueConstraint(index(tables.identities, 'user_id'), ['user_id', 'identity_key'])
          .modifyEnd(tableEnd),
      ]
    },
  },
  {
    name: '0007_list_of_users',
    // A separate index for each flag: few users have the rare value, and a page of them reads no others.
    statements: ({ schema }, names, engine) =>
      ['is_active', 'is_staff', 'is_verified'].map((flag) => pagesBy(flag, schema, names, engine)),
  },
  {
    name: '0008_kinds_and_generations',
    adds: {
      users: ['kind', 'roles'],
      sessions: ['kind', 'name', 'generation', 'seen_generation'],
    },
    // With defaults, so a process of the version before can go on inserting rows.
    statements: ({ schema }, { tables, columns }, engine) => {
      const { id, longText } = traits[engine]
      const users = () => withColumns(schema, columns.users).alterTable(tables.users)
      const sessions = () => withColumns(schema, columns.sessions).alterTable(tables.sessions)
      return [
        ...addColumns(engine, users, [
          ['kind', id, 'person'],
          ['roles', longText],
        ]),
        ...addColumns(engine, sessions, [
          ['kind', id, 'cookie'],
          ['name', longText],
          ['generation', 'bigint', 0],
          ['seen_generation', 'bigint', 0],
          // Step 0011 replaces these two: only processes of the version before use them.
          ['confirmed_generation', 'bigint', 0],
          ['retired_by', id],
        ]),
      ]
    },
  },
  {
    name: '0009_users_by_kind',
    // A page shows users of one kind, and most kinds have few.
    statements: ({ schema }, names, engine) => [pagesBy('kind', schema, names, engine)],
  },
  {
    name: '0010_origin',
    adds: { users: ['origin'] },
    // With a default, so a process of the version before can go on inserting rows.
    statements: ({ schema }, { tables, columns }, engine) =>
      addColumns(engine, () => withColumns(schema, columns.users).alterTable(tables.users), [
        ['origin', traits[engine].id, 'self'],
      ]),
  },
  {
    name: '0011_session_bases',
    adds: {
      sessions: ['prior_confirmed_at', 'confirmation', 'base_generation', 'next_base', 'settles_at'],
    },
    // With defaults, so a process of the version before can go on inserting rows.
    statements: ({ schema }, { tables, columns }, engine) =>
      addColumns(engine, () => withColumns(schema, columns.sessions).alterTable(tables.sessions), [
        ['prior_confirmed_at', 'bigint'],
        ['confirmation', 'bigint', 0],
        ['base_generation', 'bigint', 0],
        ['next_base', 'bigint'],
        ['settles_at', 'bigint'],
      ]),
  },
  {
    name: '0012_notes',
    adds: { users: ['account_notes'] },
    statements: ({ schema }, { tables, columns }, engine) =>
      addColumns(engine, () => withColumns(schema, columns.users).alterTable(tables.users), [
        ['account_notes', traits[engine].longText],
      ]),
  },
  {
    name: '0013_move_notes',
    // A step of its own, so the table isn't locked for as long as it takes.
    statements: moveNotes,
  },
  {
    name: '0014_invitations',
    makes: 'invitations',
    statements({ schema }, { tables: { invitations }, columns }, engine) {
      const { id, key, text, longText, tableEnd } = traits[engine]
      return [
        withColumns(schema, columns.invitations)
          .createTable(invitations)
          .ifNotExists()
          .addColumn('id', id, (column) => column.primaryKey().notNull())
          .addColumn('target', id, (column) => column.notNull())
          .addColumn('inviter_id', id, (column) => column.notNull())
          .addColumn('email', text, (column) => column.notNull())
          .addColumn('email_key', key, (column) => column.notNull())
          .addColumn('gives', longText, (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('expires_at', 'bigint', (column) => column.notNull())
          .addColumn('sends', 'bigint', (column) => column.notNull())
          .addColumn('accepting_until', 'bigint')
          .addColumn('version', 'bigint', (column) => column.notNull())
          .addUniqueConstraint(index(invitations, 'target'), ['target', 'inviter_id', 'email_key'])
          .addUniqueConstraint(index(invitations, 'email_key'), ['email_key', 'created_at', 'id'])
          .addUniqueConstraint(index(invitations, 'created_at'), ['created_at', 'id'])
          .addUniqueConstraint(index(invitations, 'inviter_id'), ['inviter_id', 'created_at', 'id'])
          .addUniqueConstraint(index(invitations, 'expires_at'), ['expires_at', 'id'])
          .modifyEnd(tableEnd),
      ]
    },
  },
  {
    name: '0015_activity',
    makes: 'activity',
    statements({ schema }, { tables: { activity }, columns }, engine) {
      const { id, longText, tableEnd } = traits[engine]
      return [
        withColumns(schema, columns.activity)
          .createTable(activity)
          .ifNotExists()
          .addColumn('id', id, (column) => column.primaryKey().notNull())
          .addColumn('user_id', id, (column) => column.notNull())
          .addColumn('type', id, (column) => column.notNull())
          .addColumn('happened_at', 'bigint', (column) => column.notNull())
          .addColumn('actor', id, (column) => column.notNull())
          .addColumn('device', longText)
          .addColumn('network', longText)
          .addColumn('data', longText, (column) => column.notNull())
          .addUniqueConstraint(index(activity, 'user_id'), ['user_id', 'happened_at', 'id'])
          .addUniqueConstraint(index(activity, 'happened_at'), ['happened_at', 'id'])
          .modifyEnd(tableEnd),
      ]
    },
  },
  {
    name: '0016_organizations',
    makes: 'organizations',
    statements({ schema }, { tables: { organizations, organizationMembers: members }, columns }, engine) {
      const { id, text, longText, tableEnd } = traits[engine]
      return [
        withColumns(schema, columns.organizations)
          .createTable(organizations)
          .ifNotExists()
          .addColumn('id', id, (column) => column.primaryKey().notNull())
          .addColumn('slug', id, (column) => column.notNull())
          .addColumn('name', text, (column) => column.notNull())
          .addColumn('fields', longText, (column) => column.notNull())
          .addColumn('created_at', 'bigint', (column) => column.notNull())
          .addColumn('members', 'bigint', (column) => column.notNull())
          .addColumn('owners', 'bigint', (column) => column.notNull())
          .addColumn('version', 'bigint', (column) => column.notNull())
          .addUniqueConstraint(index(organizations, 'slug'), ['slug'])
          .addUniqueConstraint(index(organizations, 'created_at'), ['created_at', 'id'])
          .modifyEnd(tableEnd),
        withColumns(schema, columns.organizationMembers)
          .createTable(members)
          .ifNotExists()
          .addColumn('organization_id', id, (column) => column.notNull())
          .addColumn('user_id', id, (column) => column.notNull())
          .addColumn('roles', longText, (column) => column.notNull())
          .addColumn('since', 'bigint', (column) => column.notNull())
          .addColumn('invitation_id', id)
          .addPrimaryKeyConstraint(index(members, 'pkey'), ['organization_id', 'user_id'])
          .addUniqueConstraint(index(members, 'since'), ['organization_id', 'since', 'user_id'])
          .addUniqueConstraint(index(members, 'user_id'), ['user_id', 'since', 'organization_id'])
          .modifyEnd(tableEnd),
      ]
    },
  },
]

/** An index for pages of the users with one value in a column. */
function pagesBy(
  column: string,
  schema: SchemaModule,
  { tables, columns }: Names,
  engine: Engine,
): Statement {
  const on = engine === 'sqlite' ? schema.withPlugin(indexInSchema) : schema
  const indexBuilder = withColumns(on, columns.users).createIndex(index(tables.users, column))
  return (engine === 'mysql' ? indexBuilder : indexBuilder.ifNotExists())
    .on(tables.users)
    .columns([column, 'created_at', 'id'])
}

/** On SQLite, the schema stands before the name of the index, and not before the table. */
const indexInSchema: KyselyPlugin = {
  transformQuery({ node }) {
    if (node.kind !== 'CreateIndexNode' || node.table?.table.schema === undefined) return node
    const { schema, identifier } = node.table.table
    const name = SchemableIdentifierNode.createWithSchema(schema.name, node.name.name)
    const inSchema: OperationNode = { ...node, ...{ name, table: TableNode.create(identifier.name) } }
    return inSchema as RootOperationNode
  },
  transformResult: async ({ result }) => result,
}

type NewColumn = [name: string, type: Parameters<AlterTableBuilder['addColumn']>[1], value?: string | number]

/**
 * Columns that are null, or have a default value. One statement adds all of them, which needs one lock, except on SQLite,
 * which can't.
 */
function addColumns(
  engine: Engine,
  alter: () => AlterTableBuilder,
  added: readonly NewColumn[],
): Statement[] {
  const there = ifNotThere(engine)
  const add = (table: Pick<AlterTableBuilder, 'addColumn'>, [name, type, value]: NewColumn) =>
    table.addColumn(name, type, (column) =>
      value === undefined ? there(column) : there(column).notNull().defaultTo(value),
    )
  if (engine === 'sqlite') return added.map((column) => add(alter(), column))
  const [first, ...others] = added
  return first === undefined ? [] : [others.reduce(add, add(alter(), first))]
}

/** Only PostgreSQL supports it; the others report that the column exists, which `migrate` accepts. */
function ifNotThere(engine: Engine): (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder {
  return (column) => (engine === 'postgres' ? column.ifNotExists() : column)
}
