import type { ColumnType } from 'fastify-accounts'
import type { Engine } from '../base/engine.js'
import { limits } from '../base/values.js'

type Test = (type: string) => boolean

/** One of these types, or one with a length of its own that is long enough. */
function oneOf(pattern: RegExp, sized?: RegExp, least = 0): Test {
  return (type) => {
    const length = sized?.exec(type)?.[1]
    return pattern.test(type) || (length !== undefined && Number(length) >= least)
  }
}

const postgresText = (least: number): Test =>
  oneOf(/^(?:text|character varying)$/, /^character varying\((\d+)\)$/, least)
const mysqlBytes = (least: number): Test => oneOf(/^(?:medium|long)?blob$/, /^varbinary\((\d+)\)$/, least)
const sqliteText: Test = (type) => /char|clob|text/.test(type)
/** Those of times are numbers for SQLite only if their values are. */
const sqliteWord: Test = (type) => /char|clob|text|date|time/.test(type)
const sqliteNumber: Test = (type) => type.includes('int')

/** Whether a column of this type holds everything that the stores write, and gives it back as it was. */
export const fits: Record<Engine, Record<ColumnType, Test>> = {
  postgres: {
    id: postgresText(limits.id),
    key: postgresText(limits.key),
    word: postgresText(limits.id),
    text: postgresText(limits.text),
    longText: oneOf(/^(?:text|character varying)$/),
    flag: oneOf(/^(?:smallint|integer|bigint)$/),
    boolean: oneOf(/^boolean$/),
    whole: oneOf(/^bigint$/),
    // With microseconds, no page of a list could say where it ended.
    timestamp: oneOf(/^timestamp\(3\) with time zone$/),
    uuid: oneOf(/^uuid$/),
  },
  mysql: {
    id: mysqlBytes(limits.id),
    key: mysqlBytes(limits.key),
    word: oneOf(/^(?:medium|long)?text$/, /^var(?:char|binary)\((\d+)\)$/, limits.id),
    text: oneOf(/^(?:medium|long)?text$/, /^varchar\((\d+)\)$/, limits.text),
    longText: oneOf(/^(?:medium|long)text$/),
    flag: oneOf(/^(?:tiny|small|medium|big)?int(?:\(\d+\))?( unsigned)?$/),
    boolean: oneOf(/^(?:bit\(1\)|(?:tiny|small|medium|big)?int(?:\(\d+\))?(?: unsigned)?)$/),
    whole: oneOf(/^bigint(?:\(\d+\))?( unsigned)?$/),
    timestamp: oneOf(/^datetime\(3\)$/),
    uuid: oneOf(/^uuid$/, /^(?:var)?char\((\d+)\)$/, 36),
  },
  sqlite: {
    id: sqliteText,
    key: sqliteText,
    word: sqliteWord,
    text: sqliteText,
    longText: sqliteText,
    flag: sqliteNumber,
    boolean: (type) => sqliteNumber(type) || /bool/.test(type),
    whole: sqliteNumber,
    timestamp: sqliteNumber,
    uuid: sqliteText,
  },
}

const mysqlTypes = {
  id: `varbinary(${limits.id})`,
  key: `varbinary(${limits.key})`,
  word: `varchar(${limits.id})`,
  text: `varchar(${limits.text})`,
  longText: 'longtext',
  flag: 'smallint',
  boolean: 'boolean',
  whole: 'bigint',
  timestamp: 'datetime(3)',
  uuid: 'char(36)',
}
const texts = { id: 'text', key: 'text', word: 'text', text: 'text', longText: 'text' }

/** As a line names them. */
export const expectedTypes: Record<Engine, Record<ColumnType, string>> = {
  postgres: { ...mysqlTypes, ...texts, timestamp: 'timestamptz(3)', uuid: 'uuid' },
  mysql: mysqlTypes,
  sqlite: { ...mysqlTypes, ...texts, timestamp: 'bigint', uuid: 'text' },
}
