import {
  type ColumnDefinitionBuilder,
  type Kysely,
  type KyselyPlugin,
  type OperationNode,
  type RootOperationNode,
  SchemableIdentifierNode,
  TableNode,
} from 'kysely'
import type { Engine } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { traits } from '../base/traits.js'
import { indexName as index, type Names, type TableWithColumns } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import type { Statement } from './statement.js'

/**
 * The suffix of a step that older versions of this package cannot work with: only a major version may have one. An
 * older version works with any other step.
 */
export const breaking = '_breaking'

/**
 * One step of the schema. Released steps never change: new ones are added after them. Columns that they add may be null or
 * have a default, so a process of the version before can keep inserting rows.
 */
export interface Step {
  /** The name recorded once it has run; steps run in the order of their names. */
  name: string
  /** The tables that it creates, and the columns that it adds to others. The first step needs neither. */
  makes?: readonly TableWithColumns[]
  adds?: Partial<Record<TableWithColumns, readonly string[]>>
  /** Indexes of a table that exists are steps of their own: PostgreSQL builds them outside a transaction. */
  statements(db: Kysely<Tables>, names: Names, engine: Engine): Statement[]
}

/**
 * The schema, step by step. A run may stop between two statements and start again, even on MySQL, which cannot roll DDL
 * back: each accepts what is there. Indexes that end in `id` are unique by nature; as constraints, they come with the
 * table, because MySQL lacks CREATE INDEX IF NOT EXISTS.
 */
export const steps: Step[] = [{ name: '0001_accounts', statements: createTables }]

function createTables({ schema }: Kysely<Tables>, { tables, columns }: Names, engine: Engine): Statement[] {
  const { id, key, text, longText, tableEnd } = traits[engine]
  const create = (table: TableWithColumns) =>
    withColumns(schema, columns[table]).createTable(tables[table]).ifNotExists()
  const { users, identities, sessions, invitations, activity, organizations, outbox } = tables
  const members = tables.organizationMembers
  return [
    create('users')
      .addColumn('id', id, primary)
      .addColumn('kind', id, otherwise('person'))
      .addColumn('origin', id, otherwise('self'))
      .addColumn('username', text, required)
      .addColumn('username_key', key, required)
      .addColumn('email', text)
      .addColumn('email_key', key)
      .addColumn('password_hash', text, required)
      .addColumn('is_verified', 'smallint', required)
      .addColumn('is_staff', 'smallint', required)
      .addColumn('roles', longText)
      .addColumn('is_active', 'smallint', required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('last_login_at', 'bigint')
      .addColumn('email_changed_at', 'bigint')
      .addColumn('session_epoch', 'bigint', required)
      .addColumn('reset_epoch', 'bigint', required)
      .addColumn('verify_epoch', 'bigint', required)
      .addColumn('version', 'bigint', required)
      .addColumn('fields', longText, required)
      .addColumn('factors', longText)
      .addColumn('credentials', longText)
      .addColumn('identity_keys', longText)
      .addColumn('account_notes', longText)
      .addUniqueConstraint(index(users, 'username_key'), ['username_key'])
      .addUniqueConstraint(index(users, 'email_key'), ['email_key'])
      .addUniqueConstraint(index(users, 'created_at'), ['created_at', 'id'])
      .modifyEnd(tableEnd),
    create('identities')
      .addColumn('identity_key', key, primary)
      .addColumn('user_id', id, required)
      .addUniqueConstraint(index(identities, 'user_id'), ['user_id', 'identity_key'])
      .modifyEnd(tableEnd),
    create('sessions')
      .addColumn('id', id, primary)
      .addColumn('kind', id, otherwise('cookie'))
      .addColumn('name', longText)
      .addColumn('user_id', id, required)
      .addColumn('epoch', 'bigint', required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('last_seen_at', 'bigint', required)
      .addColumn('expires_at', 'bigint', required)
      .addColumn('details', longText)
      .addColumn('methods', longText)
      .addColumn('confirmed_at', 'bigint')
      .addColumn('prior_confirmed_at', 'bigint')
      .addColumn('confirmation', 'bigint', otherwise(0))
      .addColumn('generation', 'bigint', otherwise(0))
      .addColumn('seen_generation', 'bigint', otherwise(0))
      .addColumn('base_generation', 'bigint', otherwise(0))
      .addColumn('next_base', 'bigint')
      .addColumn('settles_at', 'bigint')
      .addUniqueConstraint(index(sessions, 'user_id'), ['user_id', 'created_at', 'id'])
      .addUniqueConstraint(index(sessions, 'expires_at'), ['expires_at', 'id'])
      .modifyEnd(tableEnd),
    create('invitations')
      .addColumn('id', id, primary)
      .addColumn('target', id, required)
      .addColumn('inviter_id', id, required)
      .addColumn('email', text, required)
      .addColumn('email_key', key, required)
      .addColumn('gives', longText, required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('expires_at', 'bigint', required)
      .addColumn('sends', 'bigint', required)
      .addColumn('accepting_until', 'bigint')
      .addColumn('version', 'bigint', required)
      .addUniqueConstraint(index(invitations, 'target'), ['target', 'inviter_id', 'email_key'])
      .addUniqueConstraint(index(invitations, 'email_key'), ['email_key', 'created_at', 'id'])
      .addUniqueConstraint(index(invitations, 'created_at'), ['created_at', 'id'])
      .addUniqueConstraint(index(invitations, 'inviter_id'), ['inviter_id', 'created_at', 'id'])
      .addUniqueConstraint(index(invitations, 'expires_at'), ['expires_at', 'id'])
      .modifyEnd(tableEnd),
    create('activity')
      .addColumn('id', id, primary)
      .addColumn('user_id', id, required)
      .addColumn('type', id, required)
      .addColumn('happened_at', 'bigint', required)
      .addColumn('actor', id, required)
      .addColumn('device', longText)
      .addColumn('network', longText)
      .addColumn('data', longText, required)
      .addUniqueConstraint(index(activity, 'user_id'), ['user_id', 'happened_at', 'id'])
      .addUniqueConstraint(index(activity, 'happened_at'), ['happened_at', 'id'])
      .modifyEnd(tableEnd),
    create('organizations')
      .addColumn('id', id, primary)
      .addColumn('slug', id, required)
      .addColumn('name', text, required)
      .addColumn('fields', longText, required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('members', 'bigint', required)
      .addColumn('owners', 'bigint', required)
      .addColumn('version', 'bigint', required)
      .addUniqueConstraint(index(organizations, 'slug'), ['slug'])
      .addUniqueConstraint(index(organizations, 'created_at'), ['created_at', 'id'])
      .modifyEnd(tableEnd),
    create('organizationMembers')
      .addColumn('organization_id', id, required)
      .addColumn('user_id', id, required)
      .addColumn('roles', longText, required)
      .addColumn('since', 'bigint', required)
      .addColumn('invitation_id', id)
      .addPrimaryKeyConstraint(index(members, 'pkey'), ['organization_id', 'user_id'])
      .addUniqueConstraint(index(members, 'since'), ['organization_id', 'since', 'user_id'])
      .addUniqueConstraint(index(members, 'user_id'), ['user_id', 'since', 'organization_id'])
      .modifyEnd(tableEnd),
    create('outbox')
      .addColumn('id', id, primary)
      .addColumn('realm', id, required)
      .addColumn('mail', longText, required)
      .addColumn('posted_at', 'bigint', required)
      .addColumn('due_at', 'bigint')
      .addColumn('attempts', 'bigint', required)
      .addColumn('claim', id)
      .addColumn('error', longText)
      .addUniqueConstraint(index(outbox, 'due_at'), ['realm', 'due_at', 'id'])
      .modifyEnd(tableEnd),
    // For pages of the users with one value. A separate index for each flag: few users have the rare value.
    ...['is_active', 'is_staff', 'is_verified', 'kind'].map((column) => {
      const on = engine === 'sqlite' ? schema.withPlugin(indexInSchema) : schema
      const indexBuilder = withColumns(on, columns.users).createIndex(index(users, column))
      return (engine === 'mysql' ? indexBuilder : indexBuilder.ifNotExists())
        .on(users)
        .columns([column, 'created_at', 'id'])
    }),
  ]
}

const required = (column: ColumnDefinitionBuilder) => column.notNull()
const primary = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull()
const otherwise = (value: string | number) => (column: ColumnDefinitionBuilder) =>
  column.notNull().defaultTo(value)

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
